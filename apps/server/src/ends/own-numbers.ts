import type { OwnNumbers } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import type { PlatformEnd } from './platform-end.js'

/** Longest that a hosted platform may take to say which number it calls from, in ms: a start does not hang on it. */
const PATIENCE_MS = 3_000

/** How long the numbers are kept that were read, in ms: one that is added is called no more after this time. */
const KEPT_MS = 2_000

/** The numbers that a built-in platform calls from. Any process may add one. */
export function builtInNumbers(db: Db, now = () => performance.now()): OwnNumbers {
  let kept: { at: number; numbers: Promise<string[]> } | undefined
  const read = async () => {
    const { rows } = await db.query<{ number: string }>('select number from voice_platform.phone_numbers')
    return rows.map(({ number }) => number)
  }
  return () => {
    if (kept && now() - kept.at < KEPT_MS) return kept.numbers
    const reading = { at: now(), numbers: read() }
    kept = reading
    // The next request tries again.
    reading.numbers.catch(() => {
      if (kept === reading) kept = undefined
    })
    return reading.numbers
  }
}

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
