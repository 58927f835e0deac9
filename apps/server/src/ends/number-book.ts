import { builtInNumbers, hostedNumbers, type NumberBook } from '@heyline/back-office'
import type { StoredNumbers } from '@heyline/voice-platform'
import type { Settings } from '../settings/settings.js'
import type { PlatformEnd } from './platform-end.js'

/** The numbers of the built-in platform; a setting that names one decides which is the default. */
export const ownBook = (
  { phoneNumberId, twilio }: Pick<Settings, 'phoneNumberId' | 'twilio'>,
  stored: StoredNumbers,
): NumberBook =>
  builtInNumbers({
    ...{ numbers: stored.numbers, numberStore: stored.numberStore },
    fixed: phoneNumberId
      ? { setting: 'PLATFORM_PHONE_NUMBER_ID', id: phoneNumberId }
      : twilio?.callerId
        ? { setting: 'TWILIO_CALLER_ID' }
        : undefined,
  })

/** The numbers that calls are made from, whoever runs the platform. */
export const numberBook = (
  settings: Settings,
  { builtIn, client, phoneNumberId }: Pick<PlatformEnd, 'builtIn' | 'client' | 'phoneNumberId'>,
): NumberBook => (builtIn ? ownBook(settings, builtIn.platform) : hostedNumbers(client, phoneNumberId))
