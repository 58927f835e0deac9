import type { Store } from '@heyline/kit/store'
import { type CSSProperties, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { type CallButton, IDLE_BUTTON } from '../call/call-button.js'
import { CALL_BUTTON_ID } from '../document/places.js'
import { useStore } from '../state/use-store.js'
import type { CallStrip, Level } from './call-strip.js'
import { callTime } from './call-time.js'
import { STRIP_TEXTS } from './texts.js'
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
    <section ref={box} className="in-call" aria-label={STRIP_TEXTS.strip}>
      <div className="in-call-row">
        <LevelMeter level={strip.level} />
        <span className="in-call-time" role="timer" aria-label={STRIP_TEXTS.timer}>
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
            {STRIP_TEXTS.mute}
            <span className="visually-hidden">{STRIP_TEXTS.muteWhat}</span>
          </span>
        </button>
      </div>
      <TranscriptLog lines={lines} open={open} onToggle={() => strip.toggleTranscript()} />
      {/* For the eyes: the button's pressed state says it already. */}
      <p className="in-call-muted" aria-hidden="true">
        {connected ? muted && STRIP_TEXTS.muted : STRIP_TEXTS.reconnecting}
      </p>
      <span className="visually-hidden" role="status">
        {connected ? '' : STRIP_TEXTS.reconnecting}
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

/**
 * How loud the assistant is. Decoration: it shows what can be heard, and ten values a second would tell a screen
 * reader nothing.
 */
export function LevelMeter({ level }: { level: Level }) {
  const loudness = useStore(level)
  return <div className="in-call-level" aria-hidden="true" style={{ '--level': loudness } as CSSProperties} />
}

/** A crossed-out microphone in the line of the page's icons; decoration beside the button's text. */
export function MuteIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M9 9v2.5a3 3 0 0 0 4.6 2.5M15 11v-4.5a3 3 0 0 0-5.7-1.3M5.5 11.5a6.5 6.5 0 0 0 10.400 5.200M18.5 11.5a6.5 6.5 0 0 1-.4 2.200M12 18v3M4 4l16 16" />
    </svg>
  )
}
