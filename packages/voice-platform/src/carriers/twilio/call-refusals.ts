import { CarrierRefusal } from '../carrier.js'

const NOT_OURS =
  'The number that calls are made from is neither a number of the Twilio account nor one of its verified caller ids: see heyline numbers.'
const COUNTRY =
  'The Twilio account may not call the country of this number: allow it under Voice, Settings, Geo permissions in the console of Twilio.'
const NOT_A_NUMBER = 'The number to call is not a valid phone number.'
const INACTIVE = 'The Twilio account is not active: see the console of Twilio.'

/** Why Twilio places no call, by its error codes. https://www.twilio.com/docs/api/errors */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['10001', INACTIVE],
  ['13224', NOT_A_NUMBER],
  ['13227', COUNTRY],
  ['20003', 'Twilio does not accept the account: check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.'],
  ['20005', INACTIVE],
  ['20429', 'Twilio has too many requests of this account. The call was not placed, and is not tried again.'],
  ['21210', NOT_OURS],
  ['21211', NOT_A_NUMBER],
  ['21212', NOT_OURS],
  ['21214', 'Twilio can not reach the number to call.'],
  ['21215', COUNTRY],
  ['21216', 'Twilio does not let the account call this number.'],
  ['21217', NOT_A_NUMBER],
  [
    '21219',
    'A Twilio trial account calls only numbers that were verified with Twilio, and this one was not.',
  ],
])

/**
 * Refusals that say nothing of the call: the account is not accepted or not active, or has asked too often. `http_…` is an answer that is not
 * Twilio's, as of a proxy.
 */
const OF_LINES: ReadonlySet<string> = new Set([
  '10001',
  '20003',
  '20005',
  '20429',
  'http_401',
  'http_403',
  'http_407',
  'http_429',
])

/** The refusal for one of Twilio's error codes. `said`: Twilio's own words, without any number, for a code that has no sentence here. */
export const callRefusal = (code: string, said: string): CarrierRefusal =>
  new CarrierRefusal(
    code,
    `${SENTENCES.get(code) ?? `Twilio refused the call: ${said}`} (Twilio's error ${code})`,
    { isOfLines: OF_LINES.has(code) },
  )
