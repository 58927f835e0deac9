import type { Db } from '@heyline/database'
import { type NewMessage, storeMessages } from './inbox-rows.js'

/** Most of one statement: messages, and characters. */
const MOST_MESSAGES = 500
const MOST_CHARACTERS = 4_000_000

interface Waiting {
  message: NewMessage
  resolve(): void
  reject(error: unknown): void
}

/**
 * Stores the platform's messages, so that each can be answered before anything is done about it. What arrives while a statement is under
 * way goes into the next one. So no message waits for others, and a thousand at once take a few statements.
 */
export class Inbox {
  readonly #db: Db
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves when the message is durable, or was there already. */
  store(message: NewMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject })
      if (!this.#isWriting) void this.#write()
    })
  }

  /** Never rejects: who waits hears of a failure. */
  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#take()
      try {
        await storeMessages(
          this.#db,
          batch.map(({ message }) => message),
        )
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isWriting = false
  }

  /** At least one. */
  #take(): Waiting[] {
    let characters = 0
    const end = this.#waiting.findIndex(({ message }, index) => {
      characters += message.body.length
      return index > 0 && (index >= MOST_MESSAGES || characters > MOST_CHARACTERS)
    })
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }
}
