/**
 * A map that holds a number of entries at most. What is set becomes the newest, and the oldest one goes where there are too many: so that
 * what strangers name fills no memory.
 *
 * @example
 * const seen = new RecentMap<string, number>(2)
 * seen.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
 * ;[...seen.keys()] // ['a', 'c']
 */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  /** `most` is a whole number of entries, 1 or more. */
  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    for (const oldest of this.keys()) {
      if (this.size <= this.#most) break
      this.delete(oldest)
    }
    return this
  }
}
