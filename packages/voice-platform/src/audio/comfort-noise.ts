import { encodeMuLaw } from './mu-law.js'

/** Level of the noise (root mean square to full scale). A quiet line has about as much; detectors take speech from -50 dB on. */
export const COMFORT_NOISE_DBFS = -65
const RMS = 32_768 * 10 ** (COMFORT_NOISE_DBFS / 20)
/** Samples of noise that are kept: one second. */
const LENGTH = 8_000
/** From one piece to the next, in samples. It shares no factor with what pieces may begin at, so all of them come up. */
const HOP = 1_237

const NOISE = evenNoise()
const CODED = encodeMuLaw(NOISE)

/**
 * The faint noise of a line that is open, PCM16 8 kHz. Without it a silent line sounds dead. Each piece begins at another place of
 * the same second, so that no rhythm is heard.
 */
export class ComfortNoise {
  #at = 0

  /** Adds noise to these samples, in place: at most 800. */
  addTo(samples: Int16Array): void {
    const start = this.#next(samples.length)
    for (let index = 0; index < samples.length; index += 1) {
      const sum = (samples[index] ?? 0) + (NOISE[start + index] ?? 0)
      samples[index] = Math.max(-32_768, Math.min(32_767, sum))
    }
  }

  /** So many samples of noise alone, as mu-law: at most 800. Not to be written to. */
  coded(length: number): Uint8Array {
    const start = this.#next(length)
    return CODED.subarray(start, start + length)
  }

  #next(length: number): number {
    this.#at = (this.#at + HOP) % (LENGTH - length)
    return this.#at
  }
}

/** White noise by a fixed linear congruential generator (Numerical Recipes), brought to its level. */
function evenNoise(): Int16Array {
  let state = 1
  const raw = Float64Array.from({ length: LENGTH }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  })
  const rms = Math.sqrt(raw.reduce((sum, value) => sum + value * value, 0) / LENGTH)
  return Int16Array.from(raw, (value) => Math.round((value / rms) * RMS))
}
