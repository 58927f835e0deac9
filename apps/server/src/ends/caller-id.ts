import { SettingError } from '@heyline/kit/setting-error'
import {
  FICTIONAL_NUMBER,
  NumberAccountError,
  type PhoneNumberStore,
  type VoicePlatform,
} from '@heyline/voice-platform'
import type { TwilioSettings } from '../settings/settings.js'

/** What a start with a real carrier needs. */
export interface CallerIdOptions {
  twilio: TwilioSettings
  /** `PLATFORM_PHONE_NUMBER_ID`. */
  phoneNumberId: string | undefined
  platform: Pick<VoicePlatform, 'numbers' | 'numberStore'>
}

/** What to do where there is no number to call from. */
export const NO_CALLER_ID =
  'is needed with CARRIER=twilio, as no number to call from is stored: set it to a number of your Twilio account, such as +14155552671'

/** What to do where the account does not have the number. */
export const NOT_OURS =
  'is neither a number of the Twilio account that can call nor one of its verified caller ids: buy it or verify it in the console of Twilio, or set another'

/**
 * Stores `TWILIO_CALLER_ID` as the default, and asks Twilio, once and for a few seconds, whether the account may call from the number that calls
 * are made from. Throws a `SettingError` where it may not, or where there is none. Resolves with what a person should know: that Twilio could
 * not be asked.
 */
export async function settleCallerId(options: CallerIdOptions): Promise<string[]> {
  const { twilio, platform } = options
  const number = await storedCallerId(options, platform.numberStore)
  if (number === undefined || number === FICTIONAL_NUMBER)
    throw new SettingError('TWILIO_CALLER_ID', NO_CALLER_ID)
  const unasked: string[] = []
  try {
    if ((await platform.numbers.rightTo(number)) === undefined)
      throw new SettingError(
        'TWILIO_CALLER_ID',
        twilio.callerId === number ? NOT_OURS : `the stored number ${NOT_OURS}`,
      )
  } catch (error) {
    if (!(error instanceof NumberAccountError)) throw error
    unasked.push(
      `Twilio was not asked whether the account may call from the caller id, and calls may fail: ${error.message} See heyline doctor`,
    )
  }
  if (twilio.callerId !== undefined) await platform.numbers.makeDefault(twilio.callerId)
  return unasked
}

/** The number that calls are made from, as the settings or the store have it. Throws a `SettingError` for an id that names none. */
export async function storedCallerId(
  { twilio, phoneNumberId }: Pick<CallerIdOptions, 'phoneNumberId'> & { twilio?: TwilioSettings | undefined },
  store: PhoneNumberStore,
): Promise<string | undefined> {
  if (phoneNumberId === undefined) return twilio?.callerId ?? (await store.default())?.number
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(phoneNumberId)
  const named = isId ? await store.get(phoneNumberId) : undefined
  if (named) return named.number
  throw new SettingError('PLATFORM_PHONE_NUMBER_ID', 'names no stored number: see heyline numbers list')
}
