/** Time, as something that tests can hold in their hands. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs once after this many milliseconds, unless the returned function was called before. */
  after(ms: number, run: () => void): () => void
}

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
