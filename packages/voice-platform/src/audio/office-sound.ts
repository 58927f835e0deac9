import { SAMPLE_RATE } from '@heyline/room-protocol'
import { encodeMuLaw } from './mu-law.js'
import { Resampler } from './resampler.js'

/** Level of the sound (root mean square to full scale): some 25 dB under speech. */
export const OFFICE_DBFS = -46
const PHONE_RATE = 8_000
/** How long it lasts before it begins anew, in seconds. */
const LOOP_SECONDS = 8
/** How long its end fades into its beginning, in seconds. */
const SEAM_SECONDS = 0.5
/** Most samples that are taken at once. */
const MOST_TAKEN = 800
/** People who talk somewhere else in the room: the two resonances of their voice in Hz, and syllables a second. */
const TALKERS = [
  [420, 1_150, 3.7],
  [510, 1_400, 4.3],
  [340, 950, 3.1],
  [610, 1_620, 4.9],
] as const
/** When keys are typed, in seconds from the beginning. */
const KEYS = [0.9, 1.06, 1.19, 1.41, 3.2, 3.37, 5.1, 5.23, 5.31, 5.52, 5.7, 7.1]

/** A soft office: hum, people talking far away, a keyboard. It is made by arithmetic, once a process, and comes from no file. */
export class OfficeSound {
  readonly #loop: Int16Array
  readonly #coded: Uint8Array | undefined
  #at = 0

  /** PCM16 of 16 kHz, or of 8 kHz for a phone line. */
  constructor(rate: 8_000 | 16_000 = SAMPLE_RATE) {
    made ??= loops()
    this.#loop = rate === PHONE_RATE ? made.narrow : made.wide
    this.#coded = rate === PHONE_RATE ? made.coded : undefined
  }

  /** Adds the sound to these samples, in place: at most 800. */
  addTo(samples: Int16Array): void {
    const start = this.#next(samples.length)
    for (let index = 0; index < samples.length; index += 1) {
      const sum = (samples[index] ?? 0) + (this.#loop[start + index] ?? 0)
      samples[index] = Math.max(-32_768, Math.min(32_767, sum))
    }
  }

  /** So many samples of the sound alone: at most 800. Not to be written to. */
  alone(length: number): Int16Array {
    const start = this.#next(length)
    return this.#loop.subarray(start, start + length)
  }

  /** The same as mu-law. */
  coded(length: number): Uint8Array {
    const start = this.#next(length)
    return (
      this.#coded?.subarray(start, start + length) ?? encodeMuLaw(this.#loop.subarray(start, start + length))
    )
  }

  #next(length: number): number {
    const start = this.#at
    this.#at = (this.#at + length) % (this.#loop.length - MOST_TAKEN)
    return start
  }
}

interface Loops {
  wide: Int16Array
  narrow: Int16Array
  coded: Uint8Array
}
let made: Loops | undefined

function loops(): Loops {
  const raw = office(Math.round((LOOP_SECONDS + SEAM_SECONDS) * SAMPLE_RATE))
  const narrow = looped(new Resampler(SAMPLE_RATE, PHONE_RATE).process(raw), PHONE_RATE)
  return { wide: looped(raw, SAMPLE_RATE), narrow, coded: encodeMuLaw(narrow) }
}

/** Fades the end into the beginning, and repeats the beginning after it, so that a piece may reach beyond the end. */
function looped(samples: Int16Array, rate: number): Int16Array {
  const seam = SEAM_SECONDS * rate
  const length = samples.length - seam
  const loop = new Int16Array(length + MOST_TAKEN)
  for (let n = 0; n < length; n += 1) {
    const rise = n < seam ? Math.sin(((n / seam) * Math.PI) / 2) : 1
    const fall = n < seam ? Math.cos(((n / seam) * Math.PI) / 2) * (samples[length + n] ?? 0) : 0
    loop[n] = rise * (samples[n] ?? 0) + fall
  }
  loop.set(loop.subarray(0, MOST_TAKEN), length)
  return loop
}

function office(length: number): Int16Array {
  const sound = new Float64Array(length)
  const noise = evenNoise()
  let hum = 0
  for (let n = 0; n < length; n += 1) {
    hum += 0.06 * (noise() - hum)
    sound[n] = 1.6 * hum
  }
  for (const [index, [low, high, pace]] of TALKERS.entries()) {
    const lowBand = resonance(low, 90)
    const highBand = resonance(high, 160)
    for (let n = 0; n < length; n += 1) {
      const seconds = n / SAMPLE_RATE + index * 1.7
      // Syllables, in phrases of some seconds with pauses between them.
      const syllable = Math.max(0, Math.sin(2 * Math.PI * pace * seconds + 2 * Math.sin(seconds * 1.3)))
      const phrase = Math.max(0, Math.sin((2 * Math.PI * seconds) / (2.6 + index * 0.7)) + 0.2)
      const voice = noise()
      sound[n] = (sound[n] ?? 0) + 0.5 * syllable * phrase * (lowBand(voice) + 0.4 * highBand(voice))
    }
  }
  for (const at of KEYS) {
    const key = resonance(1_900, 700)
    const start = Math.round(at * SAMPLE_RATE)
    for (let n = 0; n < 400 && start + n < length; n += 1)
      sound[start + n] = (sound[start + n] ?? 0) + 0.25 * key(noise()) * Math.exp(-n / 90)
  }
  const rms = Math.sqrt(sound.reduce((sum, value) => sum + value * value, 0) / length)
  const gain = (32_768 * 10 ** (OFFICE_DBFS / 20)) / rms
  return Int16Array.from(sound, (value) => Math.round(value * gain))
}

/** White noise, −1 to 1, by a fixed linear congruential generator (Numerical Recipes). */
function evenNoise(): () => number {
  let state = 7
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

/** A filter that rings at one frequency, with a peak of 1. */
function resonance(frequency: number, bandwidth: number): (input: number) => number {
  const radius = Math.exp((-Math.PI * bandwidth) / SAMPLE_RATE)
  const turn = 2 * radius * Math.cos((2 * Math.PI * frequency) / SAMPLE_RATE)
  let before = 0
  let last = 0
  return (input) => {
    const output = (1 - radius) * input + turn * last - radius * radius * before
    before = last
    last = output
    return output
  }
}
