import { Store } from '@heyline/kit/store'
import { report } from '../events/emitter.js'

/** A value that changes and tells: what React's `useSyncExternalStore` reads, and any other view can. */
export interface Readable<T> {
  /** The current value; the same object until something changes. */
  get(): T
  /** Calls `listener` after each change; the returned function ends it. What it throws is reported, and stops nothing. */
  subscribe(listener: () => void): () => void
}

/** A `Readable` with its setter, for its owner. */
export class Value<T> extends Store<T> implements Readable<T> {
  override set(value: T): void {
    super.set(value)
  }

  protected override tell(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      report(error)
    }
  }
}
