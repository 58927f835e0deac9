import { type Clock, systemClock } from '../clock/clock.js'

export interface EveryHour {
  run: () => Promise<unknown>
  /** What went wrong; the next run is in an hour all the same. */
  onError: (error: unknown) => void
  clock?: Clock
}

const HOUR_MS = 3_600_000

/** Runs at once, and again an hour after each run has ended. Resolves with how to end it. */
export function everyHour({ run, onError, clock = systemClock }: EveryHour): () => Promise<void> {
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
  begin()
  return async () => {
    isClosed = true
    cancel()
    await running
  }
}
