/** A value that tells its listeners when it changes: what React's `useSyncExternalStore` reads, and any other view can. */
export class Store<T> {
  #value: T
  readonly #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
  }

  /** The current value; the same object until something changes. */
  readonly get = (): T => this.#value

  /** Calls `listener` after each change; the returned function ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  protected set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of this.#listeners) this.tell(listener)
  }

  /** Calls one listener. A store whose listeners may throw says here what becomes of it. */
  protected tell(listener: () => void): void {
    listener()
  }
}
