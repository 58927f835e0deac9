const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** How long after each failed try the next one comes, in ms: 72 hours in all. */
const WAITS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  22 * HOUR_MS,
  39 * HOUR_MS + 24 * MINUTE_MS + 55_000,
]

/** The first try, and one after each wait. */
export const TRIES_MOST = WAITS_MS.length + 1

/** Waits differ by so much either way, so that what failed together does not come back together. */
const JITTER = 0.1

/** Longest wait between two tries, in ms. It is longer than any that a receiver may ask for, and than a daily mail's. */
export const LONGEST_WAIT_MS = Math.round(Math.max(...WAITS_MS) * (1 + JITTER))

/** Longest wait that a receiver may ask for, in ms. */
const ASKED_MOST_MS = HOUR_MS

/** The waits after a first failed try, a second one and so on, in ms, as `waitAfter` says them. */
export const allWaits = (chance: number, askedMs?: number): number[] =>
  WAITS_MS.flatMap((_, place) => waitAfter(place + 1, chance, askedMs) ?? [])

/**
 * How long to wait after so many failed tries, in ms; undefined where it is given up. `chance` is from 0 to 1. What the receiver asked for,
 * in ms, makes a wait longer, up to an hour, and never shorter.
 */
export function waitAfter(failed: number, chance: number, askedMs = 0): number | undefined {
  const wait = WAITS_MS[failed - 1]
  if (wait === undefined) return undefined
  return Math.max(Math.round(wait * (1 + JITTER * (2 * chance - 1))), Math.min(askedMs, ASKED_MOST_MS))
}
