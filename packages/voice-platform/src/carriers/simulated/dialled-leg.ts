import type { Clock } from '../../clock.js'

/** What the process that dialled knows of a leg until somebody is connected: its timers, and who rings. */
export class DialledLeg {
  readonly #clock: Clock
  readonly #timers = new Set<() => void>()
  readonly #ringing = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  after(ms: number, run: () => void): () => void {
    const stop = this.#clock.after(ms, () => {
      this.#timers.delete(stop)
      run()
    })
    this.#timers.add(stop)
    return stop
  }

  /** Whether any phone is known to ring. */
  get isRinging(): boolean {
    return this.#ringing.size > 0
  }

  /** A process has phones that ring. */
  rings(process: string): void {
    this.#ringing.add(process)
  }

  /** A process's phones have all declined: true when no other process rings. */
  declined(process: string): boolean {
    this.#ringing.delete(process)
    return this.#ringing.size === 0
  }

  stopTimers(): void {
    for (const stop of this.#timers) stop()
    this.#timers.clear()
  }
}
