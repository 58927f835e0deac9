import type { Db } from '@heyline/database'
import { type NewMessage, storeMessages } from './inbox-rows.js'

/** Most of one statement: messages, and characters. */
const mostMessages = 500
const mostCharacters = 4_000_000

interface Waiting {
  message: NewMessage
  stored(): void
  failed(error: unknown): void
}

/**
 * Stores the platform's messages, so that each can be answered before anything is done about it. What arrives while a statement is under
 * way goes into the next: nothing waits for company, and a thousand at once take a few statements.
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
    return new Promise((stored, failed) => {
      this.#waiting.push({ message, stored, failed })
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
        for (const { stored } of batch) stored()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.#isWriting = false
  }

  /** At least one. */
  #take(): Waiting[] {
    let characters = 0
    const end = this.#waiting.findIndex(({ message }, index) => {
      characters += message.body.length
      return index > 0 && (index >= mostMessages || characters > mostCharacters)
    })
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }
}
