import type { Clock } from '@heyline/kit/clock'

/** Wrong codes that nobody minds. The last of them locks the factor. */
export const FREE_FAILURES = 5

const FIRST_MS = 60_000
const LONGEST_MS = 3_600_000

/** The part of a factor's row that counts wrong codes. */
export interface Guesses {
  /** Wrong codes since the last right one. */
  failures: number
  /** When the next code is looked at. */
  lockedUntil: Date | null
}

/** Locks a factor after wrong codes: one minute, twice as long with each further one, an hour at most. */
export class Lock {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whole seconds until a code is looked at; 0 when one is now. */
  waitOf({ lockedUntil }: Guesses): number {
    return lockedUntil ? Math.max(0, Math.ceil((lockedUntil.getTime() - this.#clock.now()) / 1000)) : 0
  }

  /** What the row becomes with one more wrong code. */
  afterWrong({ failures }: Guesses): Guesses {
    const counted = failures + 1
    const beyond = counted - FREE_FAILURES
    if (beyond < 0) return { failures: counted, lockedUntil: null }
    const lockMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(beyond, 10))
    return { failures: counted, lockedUntil: new Date(this.#clock.now() + lockMs) }
  }
}
