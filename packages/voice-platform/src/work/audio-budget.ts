import type { Clock } from '@heyline/kit/clock'
import { Budget } from './budget.js'

/**
 * In seconds of audio. On average a tenth faster than real time: no clock drifts as much. Half a minute at once: a line that stood
 * still holds back less.
 */
const AUDIO = { perSecond: 1.1, atOnce: 30 }
/** The least cost of a piece: 1 ms. Empty frames are work too. */
const LEAST = 0.001

/** How much audio one caller may still send, whatever carries it and however it is cut. */
export class AudioBudget {
  readonly #budget: Budget

  constructor(clock: Clock) {
    this.#budget = new Budget(clock, AUDIO)
  }

  /** False for a piece of so many seconds that comes too fast. */
  spend(seconds: number): boolean {
    return this.#budget.spend(Math.max(LEAST, seconds))
  }
}
