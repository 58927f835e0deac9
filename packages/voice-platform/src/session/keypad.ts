import type { Clock } from '@heyline/kit/clock'
import type { KeypadInput } from './session.js'

/** Most keys of one entry. The entry ends at this length. */
const MOST_KEYS = 100

/**
 * Collects the keys that a caller presses into entries. An entry ends at a delimiter, which is not part of it, or when no key came for
 * the plan's time. With a time of 0 only a delimiter ends it. With no delimiter either, each key is an entry.
 */
export class Keypad {
  readonly #plan: KeypadInput
  readonly #clock: Clock
  readonly #onEntry: (keys: string) => void
  #keys = ''
  #stopTimer = () => {}

  constructor(plan: KeypadInput, clock: Clock, onEntry: (keys: string) => void) {
    this.#plan = plan
    this.#clock = clock
    this.#onEntry = onEntry
  }

  /** One of 0-9, *, #, A-D. */
  press(key: string): void {
    const { timeoutSeconds, delimiters } = this.#plan
    this.#stopTimer()
    const isDelimiter = delimiters.includes(key)
    if (!isDelimiter) this.#keys += key
    const waitsForNone = timeoutSeconds === 0 && delimiters.length === 0
    if (isDelimiter || waitsForNone || this.#keys.length >= MOST_KEYS) this.#enter()
    else if (timeoutSeconds > 0)
      this.#stopTimer = this.#clock.after(timeoutSeconds * 1000, () => this.#enter())
  }

  /** Drops an unfinished entry. */
  close(): void {
    this.#stopTimer()
    this.#keys = ''
  }

  #enter(): void {
    const keys = this.#keys
    this.#keys = ''
    if (keys !== '') this.#onEntry(keys)
  }
}

/** A caller's line that was typed, as the platform writes it: docs.vapi.ai, "Keypad input settings". */
export const keypadLine = (keys: string): string => `User's Keypad Entry: ${keys}`
