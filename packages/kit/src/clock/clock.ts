/** Time that a test can hold in its hands. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs once after this many milliseconds, unless the returned function was called before. */
  after(milliseconds: number, run: () => void): () => void
}

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}
