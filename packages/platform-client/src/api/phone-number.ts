import type { OpenString } from './open-string.js'
import type { ListQuery, PageQuery } from './page.js'
import type { Server } from './server.js'
import type { PhoneDestination } from './transfer-destination.js'

/**
 * What every number has: above all who answers it, one of an assistant, a squad or a workflow. Without any, the server is asked
 * with an `assistant-request`.
 */
interface PhoneNumberSettings {
  /** At most 40 characters. */
  name?: string
  assistantId?: string
  squadId?: string
  workflowId?: string
  /** Gets the messages of calls whose assistant has no server of its own. */
  server?: Server
  /** Where a call goes for which nobody is set and the server names nobody. Not set: it ends with an error message. */
  fallbackDestination?: PhoneDestination
  hooks?: PhoneNumberHook[]
}

/** An account at Twilio: with an auth token, or with an API key and its secret. The token goes before the key. */
interface TwilioAccount {
  twilioAccountSid: string
  twilioAuthToken?: string
  twilioApiKey?: string
  twilioApiSecret?: string
  /** The number's text messages come to the platform too; false leaves Twilio's own setting. Default true. */
  smsEnabled?: boolean
}

/** What an inbound SIP call must know. */
export interface SipAuthentication {
  realm?: string
  /** 20–40 characters. */
  username: string
  /** 20–40 characters. */
  password: string
}

/** A number of the developer's own carrier or SIP trunk. */
export interface CreateByoPhoneNumber extends PhoneNumberSettings {
  provider: 'byo-phone-number'
  /** Of kind `byo-sip-trunk`. */
  credentialId: string
  /** 3–40 characters; E.164 unless `numberE164CheckEnabled` is false. */
  number?: string
  /** False allows any letters and digits. Default true. */
  numberE164CheckEnabled?: boolean
}

/** A number bought at Twilio. */
export interface CreateTwilioPhoneNumber extends PhoneNumberSettings, TwilioAccount {
  provider: 'twilio'
  number: string
}

/** A number bought at Vonage. */
export interface CreateVonagePhoneNumber extends PhoneNumberSettings {
  provider: 'vonage'
  number: string
  credentialId: string
}

/** A number of the platform's own, or a SIP address there. */
export interface CreateVapiPhoneNumber extends PhoneNumberSettings {
  provider: 'vapi'
  /** Exactly 3 characters; the platform picks a number there. */
  numberDesiredAreaCode?: string
  /** The address that can be called; upper and lower case are the same. */
  sipUri?: string
  /** Not set: everybody may call `sipUri`. */
  authentication?: SipAuthentication
}

/** A number bought at Telnyx. */
export interface CreateTelnyxPhoneNumber extends PhoneNumberSettings {
  provider: 'telnyx'
  number: string
  credentialId: string
}

/** Body of `phoneNumbers.create`; `provider` says where the number comes from. */
export type CreatePhoneNumber =
  | CreateByoPhoneNumber
  | CreateTwilioPhoneNumber
  | CreateVonagePhoneNumber
  | CreateVapiPhoneNumber
  | CreateTelnyxPhoneNumber

/** Takes each provider by itself, so that `provider` still tells them apart. */
type UpdateOf<Body> = Body extends CreatePhoneNumber
  ? Pick<Body, 'provider'> & Partial<Omit<Body, 'provider' | 'numberDesiredAreaCode'>>
  : never

/** Body of `phoneNumbers.update`: the number's provider, which stays as it is, and what changes. */
export type UpdatePhoneNumber = UpdateOf<CreatePhoneNumber>

/** What every stored number has. */
interface StoredPhoneNumber {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  status?: OpenString<'active' | 'activating' | 'blocked'>
  /** The number's digits; one of the platform's own has them once it is active, a SIP address never. */
  number?: string
}

/** A stored number; `provider` says where it comes from. */
export type PhoneNumber = CreatePhoneNumber & StoredPhoneNumber

/** Body of `phoneNumbers.importTwilio`, and a number given inline in a call. */
export interface ImportTwilioPhoneNumber extends PhoneNumberSettings, TwilioAccount {
  /** The number's digits. */
  twilioPhoneNumber: string
}

/** Body of `phoneNumbers.importVonage`. */
export interface ImportVonagePhoneNumber extends PhoneNumberSettings {
  /** The number's digits. */
  vonagePhoneNumber: string
  credentialId: string
}

/** Query of `phoneNumbers.list`. */
export type ListPhoneNumbers = ListQuery

/** Query of `phoneNumbers.listPage` and `phoneNumbers.pages`. */
export type ListPhoneNumbersPage = PageQuery

/** Says a text. */
export interface PhoneNumberSayAction {
  type: 'say'
  /** At most 4000 characters. */
  exact: string
}

/** Transfers the call. */
export interface PhoneNumberTransferAction {
  type: 'transfer'
  destination?: PhoneDestination
}

/** What happens to a call that comes in, before anybody speaks. */
export interface PhoneNumberHook {
  on: OpenString<'call.ringing'>
  /** In this order. */
  do: (PhoneNumberSayAction | PhoneNumberTransferAction)[]
}
