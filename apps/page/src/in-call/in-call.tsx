import type { Store } from '@heyline/kit/store'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { type CallButton, IDLE_BUTTON } from '../call-button.js'
import { useStore } from '../use-store.js'
import type { CallStrip } from './call-strip.js'
import { callTime } from './call-time.js'
import { LevelMeter } from './level-meter.js'
import { MuteIcon } from './mute-icon.js'
import { CALL_BUTTON_ID } from './places.js'
import { stripTexts } from './texts.js'
import { TranscriptLog } from './transcript-log.js'

/** The strip while a call runs, nothing otherwise. */
export function InCall({ strip, button }: { strip: CallStrip; button: Store<CallButton> }) {
  const { phase } = useSyncExternalStore(button.subscribe, button.get, () => IDLE_BUTTON)
  return phase === 'in-call' ? <Strip strip={strip} /> : null
}

function Strip({ strip }: { strip: CallStrip }) {
  const { seconds, muted, connected, open, lines } = useStore(strip)
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => returnFocus(box.current), [])

  return (
    <section ref={box} className="in-call" aria-label={stripTexts.strip}>
      <div className="in-call-row">
        <LevelMeter level={strip.level} />
        <span className="in-call-time" role="timer" aria-label={stripTexts.timer}>
          {callTime(seconds)}
        </span>
        <button
          type="button"
          className="in-call-mute"
          aria-pressed={muted}
          onClick={() => strip.toggleMute()}
        >
          <MuteIcon />
          <span>
            {stripTexts.mute}
            <span className="visually-hidden">{stripTexts.muteWhat}</span>
          </span>
        </button>
      </div>
      <TranscriptLog lines={lines} open={open} onToggle={() => strip.toggleTranscript()} />
      {/* For the eyes: the button's pressed state says it already. */}
      <p className="in-call-muted" aria-hidden="true">
        {connected ? muted && stripTexts.muted : stripTexts.reconnecting}
      </p>
      <span className="visually-hidden" role="status">
        {connected ? '' : stripTexts.reconnecting}
      </span>
    </section>
  )
}

/** When the strip goes away with the focus inside, the focus goes to the button that its call was started with. */
function returnFocus(box: HTMLElement | null): () => void {
  return () => {
    if (box?.contains(document.activeElement)) document.getElementById(CALL_BUTTON_ID)?.focus()
  }
}
