/** The time of the machine, which somebody may set at any moment. */
export interface WallClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs once after this many milliseconds, unless the returned function was called before. */
  after(milliseconds: number, run: () => void): () => void
}

/** The real time. */
export const wallClock: WallClock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}
