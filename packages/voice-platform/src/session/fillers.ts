import type { Clock } from '@heyline/kit/clock'

/** Silence until the next filler, in milliseconds; the last of them repeats. The first leaves the voice time within two seconds. */
const AFTER_MS = [1_200, 5_000, 8_000, 12_000, 20_000]
/** Said in turn. */
export const FILLERS = [
  'One moment, please.',
  'I am still working on it.',
  'This takes a little longer. Thank you for waiting.',
]
/** Most fillers for one wait. */
const MOST_FILLERS = 12

export interface FillersOptions {
  clock: Clock
  /** Nobody speaks, and nothing waits to be said. */
  isQuiet(): boolean
  say(text: string): void
}

/** Keeps the caller company while a tool runs: short phrases, at growing distances, counted from the last sound. */
export class Fillers {
  readonly #options: FillersOptions
  #said = 0
  #isOn = false
  #stop: (() => void) | undefined

  constructor(options: FillersOptions) {
    this.#options = options
  }

  /** A tool runs from now on. */
  begin(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#said = 0
    this.stir()
  }

  /** Somebody has begun or ended to speak. */
  stir(): void {
    this.#stop?.()
    this.#stop = undefined
    if (!this.#isOn || this.#said >= MOST_FILLERS || !this.#options.isQuiet()) return
    const after = AFTER_MS[Math.min(this.#said, AFTER_MS.length - 1)] ?? 0
    this.#stop = this.#options.clock.after(after, () => {
      const text = FILLERS[this.#said % FILLERS.length] ?? ''
      this.#said += 1
      this.#options.say(text)
    })
  }

  end(): void {
    this.#isOn = false
    this.#stop?.()
    this.#stop = undefined
  }
}
