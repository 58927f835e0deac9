import type { OwnNumbers } from '@heyline/call-desk'
import type { Db } from '@heyline/database'

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
