/** Lets one through at a time, in the order they came. */
export class Turnstile {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn, with the function that ends it (calling it again does nothing). */
  async enter(): Promise<() => void> {
    const before = this.#last
    let leave: () => void = () => {}
    this.#last = new Promise((resolve) => {
      leave = resolve
    })
    await before
    return leave
  }
}
