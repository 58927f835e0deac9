/**
 * Something that is fetched once and kept. Everybody who asks meanwhile waits for the same fetch; one that fails is
 * forgotten, so that the next ask tries again.
 */
export class Kept<T> {
  readonly #fetch: () => Promise<T>
  #kept: Promise<T> | undefined
  #value: T | undefined

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch
  }

  /** The value if it is here already, for those who cannot wait. */
  get value(): T | undefined {
    return this.#value
  }

  get(): Promise<T> {
    this.#kept ??= this.#fetch().then(
      (value) => {
        this.#value = value
        return value
      },
      (error) => {
        this.#kept = undefined
        throw error
      },
    )
    return this.#kept
  }

  /** Fetches ahead of need. A failure is only noted: whoever needs the value asks again. */
  warm(): void {
    this.get().catch((error) => console.debug('Fetching ahead failed.', error))
  }
}
