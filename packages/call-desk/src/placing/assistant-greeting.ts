import type { PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { errorCode } from '../run/error-code.js'

export interface AssistantGreetingOptions {
  platform: PlatformClient
  assistantId: string
  /** How long what was read is good for, in milliseconds. */
  keptMs: number
  /** Bound of one look, in milliseconds. */
  limitMs: number
  logger: Logger
}

/** What the stored assistant says first, for visitors who have no words of their own. Read from the platform, and kept a while. */
export class AssistantGreeting {
  readonly #options: AssistantGreetingOptions
  readonly #closing = new AbortController()
  #read: { greeting: Promise<string | undefined>; at: number } | undefined

  constructor(options: AssistantGreetingOptions) {
    this.#options = options
  }

  /** Undefined where the assistant says nothing first, or cannot be read. Never rejects; calls at once share a look. */
  get(): Promise<string | undefined> {
    const now = performance.now()
    if (!this.#read || now - this.#read.at > this.#options.keptMs)
      this.#read = { greeting: this.#ask(), at: now }
    return this.#read.greeting
  }

  /** Calls off a look; nobody asks after this. */
  close(): void {
    this.#closing.abort()
  }

  async #ask(): Promise<string | undefined> {
    const { platform, assistantId, limitMs, logger } = this.#options
    try {
      const { signal } = this.#closing
      const assistant: unknown = await platform.assistants.get(assistantId, { timeoutMs: limitMs, signal })
      if (typeof assistant !== 'object' || assistant === null || !('firstMessage' in assistant))
        return undefined
      return typeof assistant.firstMessage === 'string' ? assistant.firstMessage : undefined
    } catch (error) {
      // Asked again by the next call.
      this.#read = undefined
      if (!this.#closing.signal.aborted)
        logger.warn(
          { reason: errorCode(error) },
          'the assistant could not be read; calls begin with the disclosure',
        )
      return undefined
    }
  }
}
