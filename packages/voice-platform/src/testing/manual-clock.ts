import type { Clock } from '../clock.js'

interface Alarm {
  at: number
  run: () => void
}

/** A clock that stands still until a test moves it. Alarms go off in their order, each at its own time. */
export class ManualClock implements Clock {
  #now: number
  readonly #alarms = new Set<Alarm>()

  constructor(now = Date.UTC(2030, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { at: this.#now + Math.max(0, ms), run }
    this.#alarms.add(alarm)
    return () => this.#alarms.delete(alarm)
  }

  /** How many alarms are set: 0 shows that nothing was left behind. */
  get pending(): number {
    return this.#alarms.size
  }

  /** Lets time pass; alarms set meanwhile go off too where they fall into it. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#alarms.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    this.#now = end
  }

  #next(end: number): Alarm | undefined {
    let first: Alarm | undefined
    for (const alarm of this.#alarms) {
      if (alarm.at <= end && (first === undefined || alarm.at < first.at)) first = alarm
    }
    return first
  }
}
