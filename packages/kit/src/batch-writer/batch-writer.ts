import { setTimeout as delay } from 'node:timers/promises'

export interface BatchWriterOptions<Item> {
  /** Writes all of these, or none. */
  write(items: readonly Item[]): Promise<void>
  /** Most items of a batch. */
  mostItems: number
  /** Most characters of a batch, unless its only item has more. */
  mostCharacters: number
  charactersOf(item: Item): number
  /** How long the first of a batch waits for others, in milliseconds; 0 unless given. */
  gatheredMs?: number
  /** Whether a batch failed because of some of its items: then each is written by itself. Never, unless given. */
  isOfSome?(error: unknown): boolean
}

interface Waiting<Item> {
  item: Item
  resolve(): void
  reject(error: unknown): void
}

/** Writes what several bring at the same time together: what comes while a batch is written goes into the next one. */
export class BatchWriter<Item> {
  readonly #options: BatchWriterOptions<Item>
  #waiting: Waiting<Item>[] = []
  #isWriting = false

  constructor(options: BatchWriterOptions<Item>) {
    this.#options = options
  }

  /** Resolves when the item is written; rejects with what went wrong with its batch, or with it. */
  write(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  /** Never rejects: who waits hears of a failure. */
  async #writeAll(): Promise<void> {
    const { gatheredMs = 0 } = this.#options
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      if (gatheredMs > 0) await delay(gatheredMs)
      await this.#writeThese(this.#take())
    }
    this.#isWriting = false
  }

  async #writeThese(batch: readonly Waiting<Item>[]): Promise<void> {
    const { write, isOfSome = () => false } = this.#options
    try {
      await write(batch.map(({ item }) => item))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      if (batch.length > 1 && isOfSome(error)) for (const one of batch) await this.#writeThese([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  /** At least one. */
  #take(): Waiting<Item>[] {
    const { mostItems, mostCharacters, charactersOf } = this.#options
    let characters = 0
    const end = this.#waiting.findIndex(({ item }, index) => {
      characters += charactersOf(item)
      return index > 0 && (index >= mostItems || characters > mostCharacters)
    })
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }
}
