import { CarrierRefusal, type TextMessage } from './carrier.js'
import { E164 } from './e164.js'

/** Longest text, in UTF-16 units: at most three parts of an SMS in Latin letters. */
const MAX_BODY = 320

/** Throws a `CarrierRefusal` for a text that no carrier is asked to send. */
export function checkText({ to, body }: TextMessage): void {
  if (!E164.test(to))
    throw new CarrierRefusal('invalid-number', 'The number to text is not in the E.164 format.')
  if (body.trim() === '') throw new CarrierRefusal('invalid-text', 'The text is empty.')
  if (body.length > MAX_BODY)
    throw new CarrierRefusal('invalid-text', `The text is longer than ${MAX_BODY} characters.`)
}
