import type { Clock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { AudioBudget } from '../work/audio-budget.js'
import { type FramePlace, JitterBuffer } from './jitter-buffer.js'
import { decodeMuLaw } from './mu-law.js'
import { Resampler } from './resampler.js'

const PHONE_RATE = 8_000

export interface LineInOptions {
  clock: Clock
  /** What the caller may still send. What is put in the place of lost frames costs as much; what is too much is dropped. */
  budget: AudioBudget
  /** Takes the caller's audio, in order and without gaps: PCM16 mono 16 kHz, any number of samples. */
  hear(samples: Int16Array): void
}

/** The caller's voice from a phone line, whoever carries it: mu-law frames, which may come late, twice, out of order or not at all. */
export class LineIn {
  readonly #buffer: JitterBuffer

  constructor({ clock, budget, hear }: LineInOptions) {
    const fromPhone = new Resampler(PHONE_RATE, SAMPLE_RATE)
    this.#buffer = new JitterBuffer({
      clock,
      deliver: (samples) => {
        if (budget.spend(samples.length / PHONE_RATE)) hear(fromPhone.process(samples))
      },
    })
  }

  /** A frame of mu-law 8 kHz, as it comes. Positions are in samples of 8 kHz; what wraps on the wire must not wrap here. */
  frame(bytes: Uint8Array, place?: FramePlace): void {
    this.#buffer.push(decodeMuLaw(bytes), place)
  }

  /** Nothing is heard any more. Idempotent. */
  end(): void {
    this.#buffer.end()
  }
}
