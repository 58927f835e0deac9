import { setTimeout as delay } from 'node:timers/promises'
import { isOutage, type Queryable } from '@heyline/database'
import { type CallLines, writeLines } from './call-lines.js'

/** How long what is to be written waits for what other conversations bring, in milliseconds. */
const GATHERED_MS = 250
/** Most conversations of one statement. */
const MOST_AT_ONCE = 100

interface Waiting {
  change: CallLines
  resolve(): void
  reject(error: unknown): void
}

/**
 * Stores the lines of this process's conversations. What two hundred of them say in a quarter of a second is one transaction, and not fifty: each
 * waits for the disk. A conversation writes again when its last write is done.
 */
export class LineWriter {
  readonly #db: Queryable
  readonly #owner: string
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(db: Queryable, owner: string) {
    this.#db = db
    this.#owner = owner
  }

  /** Resolves when the lines are stored, or the call is not in progress here. */
  write(change: CallLines): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      await delay(GATHERED_MS)
      await this.#writeThese(this.#waiting.splice(0, MOST_AT_ONCE))
    }
    this.#isWriting = false
  }

  async #writeThese(some: readonly Waiting[]): Promise<void> {
    try {
      const changes = some.map(({ change }) => change)
      await writeLines(this.#db, this.#owner, changes)
      for (const { resolve } of some) resolve()
    } catch (error) {
      const [one, another] = some
      // Whose lines they are that cannot be stored, only each by itself can show.
      if (another && !isOutage(error)) for (const waiting of some) await this.#writeThese([waiting])
      else if (!another) one?.reject(error)
      else for (const { reject } of some) reject(error)
    }
  }
}
