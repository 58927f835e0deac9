import { type WallClock, wallClock } from './wall-clock.js'

/** Time that a test can hold in its hands. Durations are measured by `monotonic`: `now` may be set at any moment. */
export interface Clock extends WallClock {
  /** Milliseconds since some moment of the past. They pass evenly, whatever happens to the clock of the machine. */
  monotonic(): number
}

/** The real time. */
export const systemClock: Clock = {
  now: wallClock.now,
  monotonic: () => performance.now(),
  // A timer leaves out fractions, and would go off before its time.
  after: (milliseconds, run) => wallClock.after(Math.ceil(milliseconds), run),
}

/**
 * A clock for one thing that lasts, such as a call: it says the time of now, and then goes on evenly. All times that it tells fit together,
 * as times and as durations.
 */
export function steadyClock(clock: Clock): Clock {
  const origin = clock.now() - clock.monotonic()
  return {
    now: () => Math.round(origin + clock.monotonic()),
    monotonic: () => clock.monotonic(),
    after: (milliseconds, run) => clock.after(milliseconds, run),
  }
}
