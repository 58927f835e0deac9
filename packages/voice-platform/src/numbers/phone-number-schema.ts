import { z } from 'zod'
import { askedServer } from '../assistants/server-schema.js'
import { E164 } from '../carriers/e164.js'
import { resourceName } from '../resources/resource-name.js'

/** Longest text of an account: a sid, a token, the id of a credential. */
const account = z.string().min(1).max(200)
const number = z.string().regex(E164, 'must be in the E.164 format, such as +14155552671')

/** What the platform has for a number and this one does not act on. Each is refused by its name. */
const unserved = {
  fallbackDestination: z.unknown().optional(),
  hooks: z.unknown().optional(),
  smsEnabled: z.unknown().optional(),
}

/** Who answers is one of the three ids. Null takes away what was there. */
const kept = {
  name: resourceName.nullish(),
  assistantId: z.uuid().nullish(),
  squadId: z.uuid().nullish(),
  workflowId: z.uuid().nullish(),
  /** Asked where nobody is set. */
  server: askedServer.nullish(),
}

const twilio = {
  twilioAccountSid: account.optional(),
  twilioAuthToken: account.optional(),
  twilioApiKey: account.optional(),
  twilioApiSecret: account.optional(),
}

/** Body of `POST /phone-number` (the platform's CreateTwilioPhoneNumberDTO). */
export const createNumberBody = z.strictObject({
  provider: z.literal('twilio'),
  number,
  ...twilio,
  ...kept,
  ...unserved,
})

/** Body of `POST /phone-number/import/twilio` (ImportTwilioPhoneNumberDTO). */
export const importNumberBody = z.strictObject({ twilioPhoneNumber: number, ...twilio, ...kept, ...unserved })

/** Body of `PATCH /phone-number/{id}` (UpdateTwilioPhoneNumberDTO and its like). */
export const updateNumberBody = z.strictObject({
  provider: z.string().max(40).optional(),
  number: number.optional(),
  ...twilio,
  ...kept,
  ...unserved,
})

export type ImportNumberBody = z.infer<typeof importNumberBody>
export type UpdateNumberBody = z.infer<typeof updateNumberBody>

const instead = 'This needs the hosted platform; bring a number of yours from Twilio (provider twilio).'

/** The platform's other providers, and what to do here instead. */
export const OTHER_PROVIDERS: Readonly<Record<string, string>> = {
  'byo-phone-number': `Numbers of an own SIP trunk are not served by the built-in voice platform. ${instead}`,
  vonage: `Numbers of Vonage are not served by the built-in voice platform, which has no carrier that speaks Vonage's Voice API. ${instead}`,
  telnyx: `Numbers of Telnyx are not served by the built-in voice platform. ${instead}`,
  vapi: `The built-in voice platform has no numbers to give away. ${instead}`,
}

/** Why a setting of a number is refused. */
export const UNSERVED_SETTINGS = {
  fallbackDestination:
    'A fallbackDestination is not served by the built-in voice platform: give assistantId.',
  hooks: 'Hooks of a number are not served by the built-in voice platform: give assistantId.',
  smsEnabled:
    "Texts to a number are not served by the built-in voice platform: leave smsEnabled out, or false. Twilio's own setting stays as it is.",
} as const satisfies Record<keyof typeof unserved, string>
