/**
 * Whoever asks for the same at the same time shares one read. Nobody gets what was read before they asked: who comes while a read is under way
 * waits for the next, which begins when that is over and is shared by all who have come until then. So there is one read of a thing at a time.
 */
export class SharedReads<Value> {
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<Value>>()

  /** Rejects where its read does; then all who share that fail. `what` has to say all that the value depends on. */
  read(what: string, read: () => Promise<Value>): Promise<Value> {
    const next = this.#next.get(what)
    if (next) return next
    const before = this.#underWay.get(what)
    if (!before) return this.#begin(what, read)
    const waiting = before.then(() => {
      this.#next.delete(what)
      return this.#begin(what, read)
    })
    this.#next.set(what, waiting)
    return waiting
  }

  #begin(what: string, read: () => Promise<Value>): Promise<Value> {
    const value = read()
    const over = () => void this.#underWay.delete(what)
    this.#underWay.set(what, value.then(over, over))
    return value
  }
}
