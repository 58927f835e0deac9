import type { Logger } from 'pino'

type Heard = (payload: string) => void

/** Who listens on which channel of NOTIFY; shared by both drivers. */
export class Channels {
  readonly #listeners = new Map<string, Set<{ heard: Heard }>>()
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  names(): string[] {
    return [...this.#listeners.keys()]
  }

  has(channel: string): boolean {
    return this.#listeners.has(channel)
  }

  /** Adds one listener; the returned function removes just that one. */
  add(channel: string, heard: Heard): () => void {
    const listener = { heard } // its own object, so that the same function may listen twice
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel)
    }
  }

  deliver(channel: string, payload: string): void {
    for (const { heard } of [...(this.#listeners.get(channel) ?? [])]) {
      try {
        heard(payload)
      } catch (error) {
        this.#logger.error({ err: error, channel }, 'a listener of a notification failed')
      }
    }
  }
}

/** A channel's name as SQL: taken exactly, whatever its case. */
export function channelName(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`
}
