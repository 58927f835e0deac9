import type { Clock } from '@heyline/kit/clock'
import { leftUntil } from '@heyline/kit/stored-time'
import { AuthError } from '../wire/auth-error.js'

/** Wrong codes that nobody minds. The last of them locks the factor. */
const FREE_FAILURES = 5

const FIRST_MS = 60_000
const LONGEST_MS = 3_600_000

/** The part of a factor's row that counts wrong codes. */
export interface Guesses {
  /** Wrong codes since the last right one. */
  failures: number
  /** When the next code is looked at. */
  locked_until: Date | null
}

/** Locks a factor after wrong codes: one minute, twice as long with each further one, an hour at most. */
export class Lock {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long until a code is looked at, in ms; 0 when one is now. */
  waitOf({ locked_until }: Guesses): number {
    return leftUntil(locked_until?.getTime(), { now: this.#clock.now(), longestMs: LONGEST_MS })
  }

  /** Refuses a factor that is locked. */
  demandOpen(guesses: Guesses): void {
    const waitMs = this.waitOf(guesses)
    if (waitMs === 0) return
    const minutes = Math.ceil(waitMs / 60_000)
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
    throw AuthError.tooMany(`Too many wrong codes: try again in ${wait}`, waitMs)
  }

  /** What the row becomes with one more wrong code. */
  afterWrong({ failures }: Guesses): Guesses {
    const counted = failures + 1
    const beyond = counted - FREE_FAILURES
    if (beyond < 0) return { failures: counted, locked_until: null }
    const lockMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(beyond, 10))
    return { failures: counted, locked_until: new Date(this.#clock.now() + lockMs) }
  }
}
