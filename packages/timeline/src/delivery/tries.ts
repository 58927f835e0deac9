const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** How long after each failed try the next one comes, in ms: 72 hours in all. */
export const WAITS_MS: readonly number[] = [
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

/** How long to wait after so many failed tries, in ms; undefined where it is given up. `chance` is from 0 to 1. */
export function waitAfter(failed: number, chance: number): number | undefined {
  const wait = WAITS_MS[failed - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * (2 * chance - 1)))
}
