import type { BrowserCall } from '../call/browser-call.js'
import { CALL_BUTTON_ID, EARLY_BROWSER_CALL_ID } from '../document/places.js'
import { TEXTS } from '../document/texts.js'
import { useStore } from '../state/use-store.js'
import { EarlyNotice } from './early-press.js'
import { MicrophoneIcon, StopIcon } from './icons.js'
import { onIntent } from './intent.js'

const LABELS = { idle: TEXTS.testInBrowser, connecting: TEXTS.connecting, 'in-call': TEXTS.stopCall }

/** 'Test in Browser' → 'Connecting...' → 'Stop Call' (spec 2, 4), with its state said to screen readers. */
export function BrowserCallButton({ call }: { call: BrowserCall }) {
  const button = useStore(call)
  return (
    <>
      <button
        id={CALL_BUTTON_ID}
        type="button"
        className="button"
        data-phase={button.phase}
        aria-disabled={button.phase === 'connecting'}
        popoverTarget={EARLY_BROWSER_CALL_ID}
        popoverTargetAction="show"
        onClick={() => call.press()}
        {...onIntent(() => call.warm())}
      >
        {LABELS[button.phase]}
        {button.phase === 'in-call' ? <StopIcon /> : <MicrophoneIcon />}
      </button>
      <EarlyNotice id={EARLY_BROWSER_CALL_ID} />
      <span className="visually-hidden" role="status">
        {TEXTS.callStatus[button.outcome ?? button.phase]}
      </span>
    </>
  )
}
