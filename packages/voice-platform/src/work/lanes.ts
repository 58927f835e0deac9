/** Work in order within a lane (a call id), side by side between lanes. */
export class Lanes {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs after all that was given to this lane before, whatever became of it. */
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
