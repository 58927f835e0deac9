import type { PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { z } from 'zod'
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

/** What the desk has to know of a stored assistant. */
export interface AssistantManner {
  /** Undefined where it says nothing first, or cannot be read. */
  firstMessage?: string | undefined
  /** Its messages go to a server of its own. */
  hasServer: boolean
}

const manner = z
  .object({
    firstMessage: z.string().optional().catch(undefined),
    server: z
      .object({ url: z.string().min(1) })
      .optional()
      .catch(undefined),
  })
  .transform(
    ({ firstMessage, server }): AssistantManner => ({ firstMessage, hasServer: server !== undefined }),
  )
  .catch({ hasServer: false })

/** What the stored assistant says first, for visitors who have no words of their own. Read from the platform, and kept a while. */
export class AssistantGreeting {
  readonly #options: AssistantGreetingOptions
  readonly #closing = new AbortController()
  #read: { manner: Promise<AssistantManner>; at: number } | undefined

  constructor(options: AssistantGreetingOptions) {
    this.#options = options
  }

  /** Undefined where the assistant says nothing first, or cannot be read. Never rejects; calls at once share a look. */
  async get(): Promise<string | undefined> {
    return (await this.manner()).firstMessage
  }

  /** Never rejects; calls at once share a look. */
  manner(): Promise<AssistantManner> {
    const now = performance.now()
    if (!this.#read || now - this.#read.at > this.#options.keptMs)
      this.#read = { manner: this.#ask(), at: now }
    return this.#read.manner
  }

  /** Calls off a look; nobody asks after this. */
  close(): void {
    this.#closing.abort()
  }

  async #ask(): Promise<AssistantManner> {
    const { platform, assistantId, limitMs, logger } = this.#options
    try {
      const { signal } = this.#closing
      return manner.parse(await platform.assistants.get(assistantId, { timeoutMs: limitMs, signal }))
    } catch (error) {
      // Asked again by the next call.
      this.#read = undefined
      if (!this.#closing.signal.aborted)
        logger.warn(
          { reason: errorCode(error) },
          'the assistant could not be read; calls begin with the disclosure',
        )
      return { hasServer: false }
    }
  }
}
