import {
  AssistantGreeting,
  type AssistantGreetingOptions,
  type AssistantManner,
} from './assistant-greeting.js'

/** Assistants whose first message is kept at a time. */
const MOST = 100

/** What the assistants of campaigns say first. */
export class AssistantGreetings {
  readonly #options: Omit<AssistantGreetingOptions, 'assistantId'>
  readonly #greetings = new Map<string, AssistantGreeting>()
  #isClosed = false

  constructor(options: Omit<AssistantGreetingOptions, 'assistantId'>) {
    this.#options = options
  }

  /** Never rejects. */
  of(assistantId: string): Promise<AssistantManner> {
    const greeting =
      this.#greetings.get(assistantId) ?? new AssistantGreeting({ ...this.#options, assistantId })
    // A call that is being placed at the close begins with the disclosure, and nobody waits for a look.
    if (this.#isClosed) greeting.close()
    // The one that was asked for longest ago goes.
    this.#greetings.delete(assistantId)
    this.#greetings.set(assistantId, greeting)
    for (const oldest of this.#greetings.keys()) {
      if (this.#greetings.size <= MOST) break
      this.#greetings.delete(oldest)
    }
    return greeting.manner()
  }

  /** Calls off all looks, also those that are asked for after this. */
  close(): void {
    this.#isClosed = true
    for (const greeting of this.#greetings.values()) greeting.close()
  }
}
