import { type Clock, steadyClock } from '@heyline/kit/clock'

interface Alarm {
  /** In the time of this clock. */
  due: number
  run(): void
  stop(): void
}

/** A steady clock that can be paused. No time passes meanwhile, and alarms wait. */
export class PausableClock implements Clock {
  readonly #clock: Clock
  readonly #alarms = new Set<Alarm>()
  /** Time that passed while it stood still. */
  #behind = 0
  #pausedAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = steadyClock(clock)
  }

  now(): number {
    return (this.#pausedAt ?? this.#clock.now()) - this.#behind
  }

  monotonic(): number {
    return this.now()
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { due: this.now() + ms, run, stop: () => {} }
    this.#alarms.add(alarm)
    this.#set(alarm)
    return () => this.#drop(alarm)
  }

  /** Idempotent. */
  pause(): void {
    this.#pausedAt ??= this.#clock.now()
    for (const { stop } of this.#alarms) stop()
  }

  /** Idempotent. */
  resume(): void {
    if (this.#pausedAt === undefined) return
    this.#behind += this.#clock.now() - this.#pausedAt
    this.#pausedAt = undefined
    for (const alarm of this.#alarms) this.#set(alarm)
  }

  #set(alarm: Alarm): void {
    if (this.#pausedAt !== undefined) return
    alarm.stop = this.#clock.after(alarm.due - this.now(), () => {
      this.#drop(alarm)
      alarm.run()
    })
  }

  #drop(alarm: Alarm): void {
    alarm.stop()
    this.#alarms.delete(alarm)
  }
}
