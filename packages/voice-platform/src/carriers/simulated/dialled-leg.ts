import type { Clock } from '@heyline/kit/clock'

/** What the dialling process knows of a leg until somebody is connected: its timers, and which processes have phones that ring. */
export class DialledLeg {
  readonly #clock: Clock
  readonly #timers = new Set<() => void>()
  readonly #ringing = new Set<string>()
  #declined = false

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

  /** Whether somebody has declined, and no phone is known to ring. */
  get isDeclined(): boolean {
    return this.#declined && !this.isRinging
  }

  /** A process has phones that ring. */
  rings(process: string): void {
    this.#ringing.add(process)
  }

  /** A process's phones ring no more: somebody has declined, or all were closed. */
  silent(process: string, why: 'declined' | 'left'): void {
    this.#ringing.delete(process)
    if (why === 'declined') this.#declined = true
  }

  stopTimers(): void {
    for (const stop of this.#timers) stop()
    this.#timers.clear()
  }
}
