/** Runs work one by one within a lane (a call id). Lanes run side by side. */
export class Lanes {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs this work after all earlier work of the lane, even where that failed. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(lane) ?? Promise.resolve()).then(work, work)
    const settled = done
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(lane) === settled) this.#last.delete(lane)
      })
    this.#last.set(lane, settled)
    return done
  }

  /** Resolves when every lane is empty. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values())
  }
}
