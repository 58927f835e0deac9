import { CarrierRefusal } from '../carrier.js'

/** Why Twilio sends no text, by its error codes. https://www.twilio.com/docs/api/errors */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['20003', 'Twilio does not accept the account: check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.'],
  ['20429', 'Twilio has too many requests of this account. Try again later.'],
  ['21211', 'The number to text is not a valid phone number.'],
  ['21212', 'The number that texts are sent from is not a valid phone number.'],
  ['21266', 'A number cannot text itself.'],
  ['21408', 'The Twilio account may not text the country of this number.'],
  ['21606', 'The number that texts are sent from is not one of the Twilio account that can send texts.'],
  [
    '21608',
    'A Twilio trial account texts only numbers that were verified with Twilio, and this one was not.',
  ],
  ['21610', 'The person with this number has opted out of texts. They can text START to opt in again.'],
  ['21611', 'Too many texts wait to be sent from our number. Try again later.'],
  ['21612', 'Twilio cannot bring a text from our number to this one.'],
  ['21614', 'The number to text is not a mobile number.'],
  ['21635', 'The number to text is a landline.'],
])

/** The refusal for one of Twilio's error codes. Its message quotes nothing of Twilio's, which may hold the number or the text. */
export const textRefusal = (code: string): CarrierRefusal =>
  new CarrierRefusal(code, SENTENCES.get(code) ?? `Twilio refused the text with its error ${code}.`)
