/** Filter taps on either side of an output sample, before widening for a lower target rate. */
const HALF_TAPS = 12
/** Where the filter's pass band ends, as a part of the lower of the two Nyquist frequencies. */
const PASS_BAND = 0.94
/** Most filter phases: every pair of the usual rates stays below (44,100 to 16,000 needs 160). */
const MAX_PHASES = 1000

/**
 * Streaming change of sample rate: a polyphase windowed sinc, about 85 dB clean.
 * Pieces may have any length; the output lags by half the filter (under 2 ms), which `flush` gives back at the end.
 */
export class Resampler {
  readonly #up: number
  readonly #down: number
  readonly #half: number
  /** One filter per phase; each weighs `2 * half` neighbouring samples and sums to 1. */
  readonly #phases: Float32Array[]
  /** The samples that the next output still needs. */
  #history: Float32Array
  /** Place of the next output after the history, in steps of 1 / up of an input sample. */
  #position = 0

  /** Rates in samples a second. Throws a RangeError when they are not positive integers with a usable ratio. */
  constructor(from: number, to: number) {
    if (!isRate(from) || !isRate(to))
      throw new RangeError(`Sample rates must be positive integers, not ${from} and ${to}.`)
    const divisor = greatestCommonDivisor(from, to)
    this.#up = to / divisor
    this.#down = from / divisor
    if (this.#up > MAX_PHASES)
      throw new RangeError(`${from} to ${to} samples a second needs too many filters.`)
    const narrowing = Math.max(1, this.#down / this.#up)
    this.#half = Math.ceil(HALF_TAPS * narrowing)
    this.#phases = Array.from({ length: this.#up }, (_, phase) =>
      filter(phase / this.#up, this.#half, PASS_BAND / narrowing),
    )
    this.#history = new Float32Array(2 * this.#half - 1)
  }

  /** The next piece at the new rate. Equal rates pass through untouched. */
  process(samples: Int16Array): Int16Array {
    if (this.#up === this.#down) return samples
    const taps = 2 * this.#half
    const input = new Float32Array(taps - 1 + samples.length)
    input.set(this.#history)
    input.set(samples, taps - 1)
    const end = samples.length * this.#up
    const output = new Int16Array(Math.max(0, Math.ceil((end - this.#position) / this.#down)))
    let position = this.#position
    for (let index = 0; index < output.length; index += 1, position += this.#down) {
      const start = Math.floor(position / this.#up)
      const weights = this.#phases[position - start * this.#up] ?? []
      let sum = 0
      for (let tap = 0; tap < taps; tap += 1) sum += (weights[tap] ?? 0) * (input[start + tap] ?? 0)
      output[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)))
    }
    this.#position = position - end
    this.#history = input.slice(samples.length)
    return output
  }

  /** What the filter still holds, when the stream is over. */
  flush(): Int16Array {
    return this.#up === this.#down ? new Int16Array(0) : this.process(new Int16Array(this.#half))
  }
}

const isRate = (rate: number) => Number.isSafeInteger(rate) && rate > 0

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

/** A Blackman-windowed sinc around `half - 1 + offset`, scaled so that a constant stays the same. */
function filter(offset: number, half: number, cutoff: number): Float32Array {
  const weights = new Float32Array(2 * half)
  let sum = 0
  for (let tap = 0; tap < weights.length; tap += 1) {
    const x = tap - half + 1 - offset
    if (Math.abs(x) >= half) continue
    const window = 0.42 + 0.5 * Math.cos((Math.PI * x) / half) + 0.08 * Math.cos((2 * Math.PI * x) / half)
    const weight = window * (x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x))
    weights[tap] = weight
    sum += weight
  }
  return weights.map((weight) => weight / sum)
}
