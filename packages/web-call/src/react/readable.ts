import { report } from '../report.js'

/** A value that changes and tells: what React's `useSyncExternalStore` reads, and any other view can. */
export interface Readable<T> {
  /** The current value; the same object until something changes. */
  get(): T
  /** Calls `listener` after each change; the returned function ends it. What it throws is reported, and stops nothing. */
  subscribe(listener: () => void): () => void
}

/** A `Readable` with its setter, for its owner. */
export class Value<T> implements Readable<T> {
  #value: T
  readonly #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
  }

  readonly get = (): T => this.#value

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        report(error)
      }
    }
  }
}
