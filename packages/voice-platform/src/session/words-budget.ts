import type { Clock } from '@heyline/kit/clock'
import { Budget } from '../work/budget.js'
import type { ClientMessage } from './client-message.js'

/**
 * What a client may have said or added by messages: turns, each of which is work for the engines, and their characters; on average a
 * second, and at once. A caller speaks. Whoever steers a call has the private key.
 */
const TURNS = { perSecond: 0.1, atOnce: 5 }
const CHARACTERS = { perSecond: 20, atOnce: 2_000 }

/** What the client of a call may still have said by messages. */
export class WordsBudget {
  readonly #turns: Budget
  readonly #characters: Budget

  constructor(clock: Clock) {
    this.#turns = new Budget(clock, TURNS)
    this.#characters = new Budget(clock, CHARACTERS)
  }

  /** False for a message that has the assistant say or answer more than it may. Others cost nothing. */
  allows(message: ClientMessage): boolean {
    const characters = charactersOf(message)
    if (characters === undefined) return true
    return this.#turns.spend() && this.#characters.spend(characters)
  }
}

/** Characters that a message brings; undefined where it makes no work. */
function charactersOf(message: ClientMessage): number | undefined {
  if (message.type === 'say') return message.text.length
  if (message.type === 'add-message') return message.message.content.length
  if (message.type === 'control' && message.control === 'say-first-message') return 0
  return undefined
}
