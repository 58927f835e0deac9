/** A value that changes and tells: the piece between the framework-free parts and React's `useSyncExternalStore`. */
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
    return () => this.#listeners.delete(listener)
  }

  protected set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of this.#listeners) listener()
  }
}
