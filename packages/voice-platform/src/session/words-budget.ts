import type { Clock } from '@heyline/kit/clock'
import { spokenWeight } from '../engines/spoken-weight.js'
import { Budget } from '../work/budget.js'
import type { ClientMessage } from './client-message.js'

/**
 * How much a client may have said or added by messages, on average per second, and at once: turns, each of which makes the engines work, and
 * characters. What is spoken counts by how long it sounds. Callers normally speak, and programs steer a call with the private key, so little is needed here.
 */
const TURNS = { perSecond: 0.1, atOnce: 5 }
const CHARACTERS = { perSecond: 20, atOnce: 2_000 }

/** How much the client of a call may still have said by messages. */
export class WordsBudget {
  readonly #turns: Budget
  readonly #characters: Budget

  constructor(clock: Clock) {
    this.#turns = new Budget(clock, TURNS)
    this.#characters = new Budget(clock, CHARACTERS)
  }

  /** False if a message would make the assistant say or answer too much. Other messages cost nothing. A refused one is hardly looked at. */
  allows(message: ClientMessage): boolean {
    if (!makesWork(message)) return true
    return this.#turns.spend() && this.#characters.spend(charactersOf(message, this.#characters.left))
  }
}

type Work = Extract<ClientMessage, { type: 'say' | 'add-message' | 'control' }>

const makesWork = (message: ClientMessage): message is Work =>
  message.type === 'say' ||
  message.type === 'add-message' ||
  (message.type === 'control' && message.control === 'say-first-message')

/** Characters that a message brings, or as many as sound so long; any number above `most` where these are more. */
function charactersOf(message: Work, most: number): number {
  if (message.type === 'say') return spokenWeight(message.text, most)
  return message.type === 'add-message' ? message.message.content.length : 0
}
