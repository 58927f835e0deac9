import type { Clock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import { AudioBudget } from '../work/audio-budget.js'
import { Budget } from '../work/budget.js'

/** Text messages, and pings: on average a second, and at once. */
const MESSAGES = { perSecond: 20, atOnce: 40 }
/** Characters of the text messages: each is parsed. Words as they are recognised need some thousand a second. */
const CHARACTERS = { perSecond: 20_000, atOnce: 400_000 }
/**
 * Binary frames, however short: ours has 20 ms, and a browser's audio thread makes some of 3 ms. At once come those of a line that stood still.
 * Each is work, also an empty one.
 */
const FRAMES = { perSecond: 500, atOnce: 3_000 }

/** What one client may still send, over all its connections. */
export class ClientBudget {
  readonly #messages: Budget
  readonly #characters: Budget
  readonly #pings: Budget
  readonly #frames: Budget
  readonly #audio: AudioBudget

  constructor(clock: Clock) {
    this.#messages = new Budget(clock, MESSAGES)
    this.#characters = new Budget(clock, CHARACTERS)
    this.#pings = new Budget(clock, MESSAGES)
    this.#frames = new Budget(clock, FRAMES)
    this.#audio = new AudioBudget(clock)
  }

  /** False for a text message of so many characters that is one too many, or too long after the others. */
  message(characters: number): boolean {
    return this.#messages.spend() && this.#characters.spend(characters)
  }

  /** False for a ping, or pong, too many. */
  ping(): boolean {
    return this.#pings.spend()
  }

  /** False for a frame of so many samples that comes too fast, or is one too many. */
  audio(samples: number): boolean {
    return this.#frames.spend() && this.#audio.spend(samples / SAMPLE_RATE)
  }
}
