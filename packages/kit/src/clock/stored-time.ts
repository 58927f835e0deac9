/** By how much the clock of another process may be ahead, in ms. */
const APART_MS = 60_000

/**
 * How long it is until a stored time, in ms; 0 where it has come. Nobody waits longer than `longestMs`, as far as clocks agree: a time that is
 * further away was stored by a clock that ran ahead and has been put right, and is as if it had come.
 */
export function leftUntil(
  until: number | undefined,
  { now, longestMs }: { now: number; longestMs: number },
): number {
  const left = (until ?? now) - now
  return left > longestMs + APART_MS ? 0 : Math.max(0, left)
}

/** Whether a stored time has come, as far as clocks agree: one that has not was stored by a clock that ran ahead. */
export const hasCome = (time: number, now: number): boolean => time <= now + APART_MS
