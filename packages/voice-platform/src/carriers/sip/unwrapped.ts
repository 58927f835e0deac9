/** A counter that begins again at 0 after so many bits, as one that goes on (RFC 3550 A.1). Half the range is how far a value may be late. */
export class Unwrapped {
  readonly #range: number
  #last: number | undefined

  constructor(bits: 16 | 32) {
    this.#range = 2 ** bits
  }

  next(value: number): number {
    if (this.#last === undefined) {
      this.#last = value
      return value
    }
    const half = this.#range / 2
    const ahead = ((((value - this.#last) % this.#range) + this.#range + half) % this.#range) - half
    const unwrapped = this.#last + ahead
    this.#last = Math.max(this.#last, unwrapped)
    return unwrapped
  }
}
