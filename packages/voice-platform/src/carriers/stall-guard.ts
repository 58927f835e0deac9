import type { Clock } from '@heyline/kit/clock'
import { Stopwatch } from '@heyline/kit/stopwatch'
import { CarrierRefusal, type DialGuard } from './carrier.js'

/**
 * Longest from a request for a call to its dial, in milliseconds. A process that stood still for longer may have been taken for gone, and
 * meanwhile somebody may have ended the call, paused all calls, or put the number on the do-not-call list.
 */
const LONGEST_STALL_MS = 5_000

/** Keeps a process that stood still from dialling once it wakes. One for each call, from its beginning on. */
export class StallGuard implements DialGuard {
  readonly #stopwatch: Stopwatch

  constructor(clock: Clock) {
    this.#stopwatch = new Stopwatch(clock)
  }

  check(): void {
    if (this.#stopwatch.elapsedMs <= LONGEST_STALL_MS) return
    const message = 'The call could not be dialled within five seconds; no call was placed.'
    throw new CarrierRefusal('stalled', message, { mayPass: true })
  }
}
