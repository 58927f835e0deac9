import type { Clock } from '@heyline/kit/clock'
import { Budget } from '../work/budget.js'
import type { KeypadInput } from './session.js'

/** Most keys of one entry. The entry ends at this length. */
const MOST_KEYS = 100
/** Most characters of entries that wait: more than anybody types meanwhile. */
const MOST_WAITING = 200
/** Entries of one caller. Each becomes a line of the call, which is stored, told and answered. */
const ENTRIES = { perSecond: 5, atOnce: 20 }
/** So many milliseconds after none was left there is one more. */
const AGAIN_MS = 1_000 / ENTRIES.perSecond

/** The entries that a caller may make in a call. */
export const entryBudget = (clock: Clock): Budget => new Budget(clock, ENTRIES)

export interface KeypadOptions {
  plan: KeypadInput
  clock: Clock
  budget: Budget
  onEntry(keys: string): void
}

/**
 * Collects the keys that a caller presses into entries. An entry ends at a delimiter, which is not part of it, or when no key came for
 * the plan's time. With a time of 0 only a delimiter ends it. With no delimiter either, each key is an entry. Entries that come faster than
 * the budget allows wait, and become one with those that follow; the delimiters between them stay.
 */
export class Keypad {
  readonly #options: KeypadOptions
  #keys = ''
  /** Entries that wait, as one, and the delimiter behind them. */
  #waiting = ''
  #delimiter = ''
  #stopTimer = () => {}
  #stopWaiting = () => {}

  constructor(options: KeypadOptions) {
    this.#options = options
  }

  /** One of 0-9, *, #, A-D. */
  press(key: string): void {
    const { plan, clock } = this.#options
    const { timeoutSeconds, delimiters } = plan
    this.#stopTimer()
    const isDelimiter = delimiters.includes(key)
    if (!isDelimiter) this.#keys += key
    const waitsForNone = timeoutSeconds === 0 && delimiters.length === 0
    if (isDelimiter) this.#end(key)
    else if (waitsForNone || this.#keys.length >= MOST_KEYS) this.#end()
    else if (timeoutSeconds > 0) this.#stopTimer = clock.after(timeoutSeconds * 1000, () => this.#end())
  }

  /** Drops an unfinished entry, and those that wait. */
  close(): void {
    this.#stopTimer()
    this.#stopWaiting()
    this.#keys = ''
    this.#waiting = ''
  }

  #end(delimiter = ''): void {
    const keys = this.#keys
    this.#keys = ''
    if (keys === '') return
    const entry = this.#waiting === '' ? keys : this.#waiting + this.#delimiter + keys
    if (entry.length > MOST_WAITING) return
    this.#waiting = entry
    this.#delimiter = delimiter
    this.#enter()
  }

  #enter(): void {
    const { budget, clock, onEntry } = this.#options
    this.#stopWaiting()
    if (budget.spend()) {
      const entry = this.#waiting
      this.#waiting = ''
      onEntry(entry)
    } else this.#stopWaiting = clock.after(AGAIN_MS, () => this.#enter())
  }
}

/** A caller's line that was typed, as the platform writes it: docs.vapi.ai, "Keypad input settings". */
export const keypadLine = (keys: string): string => `User's Keypad Entry: ${keys}`
