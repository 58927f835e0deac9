import type { Clock } from './clock.js'

interface Alarm {
  at: number
  run: () => void
}

/**
 * A clock that stands still until a test moves it. Alarms go off in their order, each at its own time.
 *
 * @example
 * const clock = new ManualClock()
 * clock.after(1000, () => console.log('one second'))
 * clock.advance(1000)
 */
export class ManualClock implements Clock {
  #now: number
  /** How far the clock of the machine was set ahead. */
  #ahead = 0
  readonly #alarms = new Set<Alarm>()

  constructor(startsAt = 0) {
    this.#now = startsAt
  }

  now(): number {
    return this.#now + this.#ahead
  }

  monotonic(): number {
    return this.#now
  }

  /** Somebody sets the clock of the machine by so many milliseconds, forward or back. No time passes. */
  step(milliseconds: number): void {
    this.#ahead += milliseconds
  }

  after(milliseconds: number, run: () => void): () => void {
    const alarm = { at: this.#now + Math.max(0, milliseconds), run }
    this.#alarms.add(alarm)
    return () => void this.#alarms.delete(alarm)
  }

  /** How many alarms are set: 0 shows that nothing was left behind. */
  get pending(): number {
    return this.#alarms.size
  }

  /** Lets time pass. Alarms that are set meanwhile go off too where they fall into it. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (let next = this.#nextUntil(end); next; next = this.#nextUntil(end)) {
      this.#alarms.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    this.#now = end
  }

  #nextUntil(end: number): Alarm | undefined {
    let first: Alarm | undefined
    for (const alarm of this.#alarms) {
      if (alarm.at <= end && (first === undefined || alarm.at < first.at)) first = alarm
    }
    return first
  }
}
