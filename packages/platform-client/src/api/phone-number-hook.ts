import type { OpenString } from './open-string.js'
import type { PhoneDestination } from './transfer-destination.js'

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
