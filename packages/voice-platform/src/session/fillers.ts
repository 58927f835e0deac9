import type { Clock } from '@heyline/kit/clock'

/** Time without words until the next filler, in milliseconds; the last of them repeats. The first leaves the voice time within two seconds. */
const AFTER_MS = [1_200, 5_000, 8_000, 12_000, 20_000]
/** Longest silence before a sign of life between two fillers, in milliseconds: under two seconds, with the way to the caller's ear. */
const SIGN_EVERY_MS = 1_600
/** Said in turn. */
export const FILLERS = [
  'One moment, please.',
  'I am still working on it.',
  'This takes a little longer. Thank you for waiting.',
]
/** Most fillers for one wait. The signs go on. */
const MOST_FILLERS = 12

export interface FillersOptions {
  clock: Clock
  /** Nobody speaks, and nothing waits to be said. */
  isQuiet(): boolean
  say(text: string): void
  /** Makes a soft sound. */
  sign(): void
}

/**
 * Keeps the caller company while a tool runs or another assistant is found: short phrases at growing distances, counted from the last words, and soft signs of life
 * between them. Nobody waits in silence for two seconds.
 */
export class Fillers {
  readonly #options: FillersOptions
  #said = 0
  #isOn = false
  #quietSince = 0
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
    if (!this.#isOn) return
    this.#quietSince = this.#options.clock.now()
    this.#wait()
  }

  end(): void {
    this.#isOn = false
    this.#stop?.()
    this.#stop = undefined
  }

  #wait(): void {
    const { clock, isQuiet, say, sign } = this.#options
    this.#stop?.()
    this.#stop = undefined
    if (!this.#isOn || !isQuiet()) return
    const left = this.#dueMs - (clock.now() - this.#quietSince)
    this.#stop = clock.after(Math.max(0, Math.min(left, SIGN_EVERY_MS)), () => {
      if (left > SIGN_EVERY_MS) {
        sign()
        this.#wait()
        return
      }
      const text = FILLERS[this.#said % FILLERS.length] ?? ''
      this.#said += 1
      say(text)
    })
  }

  /** Time without words until the next filler. */
  get #dueMs(): number {
    if (this.#said >= MOST_FILLERS) return Number.POSITIVE_INFINITY
    return AFTER_MS[Math.min(this.#said, AFTER_MS.length - 1)] ?? 0
  }
}
