import { useRef, useState } from 'react'
import { phoneFormChunk } from '../demo/chunks.js'
import type { Demo } from '../demo/demo.js'
import { EARLY_CALL_ME_ID, STRIP_ID } from '../document/places.js'
import { TEXTS } from '../document/texts.js'
import { useStore } from '../state/use-store.js'
import { BrowserCallButton } from './browser-call-button.js'
import { EarlyNotice } from './early-press.js'
import { PhoneIcon } from './icons.js'
import { onIntent } from './intent.js'

const FORM_ID = 'call-me'
const MESSAGE_ID = 'call-me-message'

/** The two ways to try it, and the form that the first one opens (spec 2, 4). */
export function CallMe({ demo }: { demo: Demo }) {
  const { open, message } = useStore(demo.form)
  const button = useRef<HTMLButtonElement>(null)
  const PhoneForm = phoneFormChunk.value?.PhoneForm

  // A second press while the form is still being fetched is impatience, not the wish to close it again.
  const [waiting, setWaiting] = useState(false)
  const toggle = async () => {
    if (waiting) return
    setWaiting(!phoneFormChunk.value)
    try {
      await phoneFormChunk.get()
      demo.form.toggle()
      if (!demo.form.get().open) button.current?.focus()
    } catch (error) {
      console.warn('The form could not be loaded.', error)
      demo.form.fail()
    }
    setWaiting(false)
  }

  return (
    <>
      <div className="ways">
        <button
          ref={button}
          type="button"
          className="button primary"
          aria-expanded={open}
          aria-controls={FORM_ID}
          aria-busy={waiting}
          aria-disabled={waiting}
          popoverTarget={EARLY_CALL_ME_ID}
          popoverTargetAction="show"
          onClick={toggle}
          {...onIntent(() => phoneFormChunk.warm())}
        >
          {TEXTS.callMe}
          <PhoneIcon />
        </button>
        <EarlyNotice id={EARLY_CALL_ME_ID} />
        <BrowserCallButton call={demo.call} />
      </div>
      <div id={FORM_ID} className="call-me">
        {open && PhoneForm && (
          <PhoneForm form={demo.form} messageId={MESSAGE_ID} privacyUrl={demo.privacyUrl} />
        )}
        <p id={MESSAGE_ID} className="message" role="status" data-kind={waiting ? undefined : message}>
          {waiting ? TEXTS.loading : message && TEXTS[message]}
        </p>
      </div>
      <div id={STRIP_ID} />
    </>
  )
}
