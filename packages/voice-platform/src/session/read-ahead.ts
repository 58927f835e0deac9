/** Most items that are kept for the reader. When there are as many, the source waits. */
const MOST_ITEMS = 100

/** Reads a stream as fast as it comes, and keeps it for one reader who comes later or never. */
export class ReadAhead<T> implements AsyncIterable<T> {
  #items: T[] = []
  #end: { isFailed: boolean; failure?: unknown } | undefined
  #came = () => {}
  #taken = () => {}

  constructor(source: AsyncIterable<T>) {
    void this.#read(source)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const items = this.#items
      this.#items = []
      this.#taken()
      yield* items
      if (this.#items.length > 0) continue
      if (this.#end?.isFailed) throw this.#end.failure
      if (this.#end) return
      await new Promise<void>((resolve) => {
        this.#came = resolve
      })
    }
  }

  async #read(source: AsyncIterable<T>): Promise<void> {
    try {
      for await (const item of source) {
        this.#items.push(item)
        this.#came()
        if (this.#items.length >= MOST_ITEMS)
          await new Promise<void>((resolve) => {
            this.#taken = resolve
          })
      }
      this.#end = { isFailed: false }
    } catch (failure) {
      this.#end = { isFailed: true, failure }
    }
    this.#came()
  }
}
