import type { OwnNumbers } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { builtInNumbers } from './built-in-numbers.js'
import type { PlatformEnd } from './platform-end.js'

/** Longest that a hosted platform may take to say which number it calls from, in ms: a start does not hang on it. */
const PATIENCE_MS = 3_000

/** The number that a hosted platform calls from; none where the platform does not say it, which is logged. */
export async function hostedNumbers(
  { client, phoneNumberId }: Pick<PlatformEnd, 'client' | 'phoneNumberId'>,
  logger: Logger,
): Promise<string[]> {
  if (!phoneNumberId) return []
  try {
    const { number } = await client.phoneNumbers.get(phoneNumberId, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return number ? [number] : []
  } catch (err) {
    logger.warn(
      { err },
      'the platform does not say which number PLATFORM_PHONE_NUMBER_ID is, so the gate cannot refuse calls to it',
    )
    return []
  }
}

/** The numbers that we call from: they are never called. */
export async function ownNumbers(platform: PlatformEnd, db: Db, logger: Logger): Promise<OwnNumbers> {
  if (platform.builtIn) return builtInNumbers(db)
  const numbers = await hostedNumbers(platform, logger)
  return async () => numbers
}
