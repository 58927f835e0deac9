import { type Clock, systemClock } from '../clock/clock.js'

export interface EveryHour {
  run: () => Promise<unknown>
  /** What went wrong; the next run is in an hour all the same. */
  onError: (error: unknown) => void
  /** When the first run begins, in milliseconds; `SETTLED_MS` unless given, and at once with 0. */
  firstMs?: number
  clock?: Clock
}

/** After so long a server that starts has long begun to answer, in milliseconds: what can wait does not hold up its start. */
export const SETTLED_MS = 10_000

const HOUR_MS = 3_600_000

/** Runs soon after the start, and again an hour after each run has ended. Returns how to end it, which waits for a run under way. */
export function everyHour({
  run,
  onError,
  firstMs = SETTLED_MS,
  clock = systemClock,
}: EveryHour): () => Promise<void> {
  let isClosed = false
  let cancel = () => {}
  let running = Promise.resolve()
  const begin = () => {
    running = run()
      .catch(onError)
      .then(() => {
        if (!isClosed) cancel = clock.after(HOUR_MS, begin)
      })
  }
  if (firstMs === 0) begin()
  else cancel = clock.after(firstMs, begin)
  return async () => {
    isClosed = true
    cancel()
    await running
  }
}
