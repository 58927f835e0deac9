import type { Db } from '@heyline/database'
import { BatchWriter } from '@heyline/kit/batch-writer'
import { type NewMessage, storeMessages } from './inbox-rows.js'

/** Most of one statement: messages, and characters. */
const MOST_MESSAGES = 500
const MOST_CHARACTERS = 4_000_000

/**
 * Stores the platform's messages, so that each can be answered before anything is done about it. What arrives while a statement is under
 * way goes into the next one. So no message waits for others, and a thousand at once take a few statements.
 */
export class Inbox {
  readonly #writer: BatchWriter<NewMessage>

  constructor(db: Db) {
    this.#writer = new BatchWriter({
      write: (messages) => storeMessages(db, messages),
      mostItems: MOST_MESSAGES,
      mostCharacters: MOST_CHARACTERS,
      charactersOf: ({ body }) => body.length,
    })
  }

  /** Resolves when the message is durable, or was there already. */
  store(message: NewMessage): Promise<void> {
    return this.#writer.write(message)
  }
}
