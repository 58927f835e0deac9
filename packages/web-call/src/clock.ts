/** Where the helper takes the time from; tests give one that they turn by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs something once, after some milliseconds. The answer cancels it. */
  after(milliseconds: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** The time as every event tells it: ISO 8601. */
export const timestampOf = (clock: Clock): string => new Date(clock.now()).toISOString()

/** Waits for something, but no longer than some milliseconds; what it waited for may then still come. */
export function within(clock: Clock, milliseconds: number, wait: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, resolve)
    wait.then(resolve, reject).finally(cancel)
  })
}
