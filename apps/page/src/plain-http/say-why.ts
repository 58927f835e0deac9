import { CALL_BUTTON_ID } from '../document/places.js'
import { PLAIN_HTTP_TEXTS } from './texts.js'

const REASON_ID = 'no-microphone'

/** Says why a page over plain http cannot hold a call: in the console, and as the description of the button, which nobody sees. */
export function sayWhy(): void {
  const { reason, forOperators } = PLAIN_HTTP_TEXTS
  console.warn(`${reason}\n${forOperators}`)
  // Outside of what React looks after.
  const text = document.createElement('p')
  text.id = REASON_ID
  text.hidden = true
  text.textContent = reason
  document.body.append(text)
  document.getElementById(CALL_BUTTON_ID)?.setAttribute('aria-describedby', REASON_ID)
}
