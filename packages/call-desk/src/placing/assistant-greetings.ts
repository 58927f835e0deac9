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

  constructor(options: Omit<AssistantGreetingOptions, 'assistantId'>) {
    this.#options = options
  }

  /** Never rejects. */
  of(assistantId: string): Promise<AssistantManner> {
    const greeting =
      this.#greetings.get(assistantId) ?? new AssistantGreeting({ ...this.#options, assistantId })
    // The one that was asked for longest ago goes.
    this.#greetings.delete(assistantId)
    this.#greetings.set(assistantId, greeting)
    for (const oldest of this.#greetings.keys()) {
      if (this.#greetings.size <= MOST) break
      this.#greetings.delete(oldest)
    }
    return greeting.manner()
  }

  /** Calls off all looks; nobody asks after this. */
  close(): void {
    for (const greeting of this.#greetings.values()) greeting.close()
  }
}
