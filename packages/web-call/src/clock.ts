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
