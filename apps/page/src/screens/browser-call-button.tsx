import type { BrowserCall } from '../browser-call.js'
import type { CallButton } from '../call-button.js'
import { callChunk } from '../chunks.js'
import { texts } from '../texts.js'
import { useStore } from '../use-store.js'
import { MicrophoneIcon, StopIcon } from './icons.js'
import { onIntent } from './intent.js'

const LABELS = { idle: texts.testInBrowser, connecting: texts.connecting, 'in-call': texts.stopCall }

/** 'Test in Browser' → 'Connecting...' → 'Stop Call' (spec 2, 4), with its state said to screen readers. */
export function BrowserCallButton({ call }: { call: BrowserCall }) {
  const button = useStore(call)
  return (
    <>
      <button
        type="button"
        className="button"
        data-phase={button.phase}
        aria-disabled={button.phase === 'connecting'}
        onClick={() => call.press()}
        {...onIntent(() => callChunk.warm())}
      >
        {button.phase === 'in-call' ? <StopIcon /> : <MicrophoneIcon />}
        {LABELS[button.phase]}
      </button>
      <span className="visually-hidden" role="status">
        {statusOfCall(button)}
      </span>
    </>
  )
}

/** Empty until the first press, so that a page that just loaded says nothing. */
function statusOfCall({ phase, attempt }: CallButton): string {
  if (phase === 'connecting') return texts.callStatus.connecting
  if (phase === 'in-call') return texts.callStatus.connected
  return attempt === 0 ? '' : texts.callStatus.ended
}
