/** Ends the turn; calling it again does nothing. */
export type Leave = () => void

/** Lets one through at a time, in the order they came. */
export class Turnstile {
  #taken = false
  readonly #waiting: (() => void)[] = []

  /** A turn at once, if nobody has it. */
  tryEnter(): Leave | undefined {
    if (this.#taken) return undefined
    this.#taken = true
    return this.#leave()
  }

  /** Resolves when it is the caller's turn. */
  async enter(): Promise<Leave> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
    return this.#leave()
  }

  #leave(): Leave {
    let left = false
    return () => {
      if (left) return
      left = true
      const next = this.#waiting.shift()
      if (next)
        next() // stays taken: nobody slips in between
      else this.#taken = false
    }
  }
}
