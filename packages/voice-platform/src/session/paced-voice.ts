import type { Clock } from '@heyline/kit/clock'
import type { Voice } from '../engines/engine.js'
import { spokenWeight } from '../engines/spoken-weight.js'
import { Budget } from '../work/budget.js'

/**
 * Characters that a call may have spoken, on average per second and at once. Nobody can listen to more than some twenty a second. The rest
 * is for what is made ahead, and dropped when the caller goes on or interrupts. They are characters of ordinary English: digits count as
 * often as they sound longer.
 */
const SPOKEN = { perSecond: 40, atOnce: 4_000 }

/** The voice of one call. A client that says it has heard what it cannot have heard yet waits for more. */
export function pacedVoice(voice: Voice, clock: Clock): Voice {
  const budget = new Budget(clock, SPOKEN)
  return {
    name: voice.name,
    async *speak(text, options) {
      await budget.spendInTime(spokenWeight(text), options.signal)
      yield* voice.speak(text, options)
    },
  }
}
