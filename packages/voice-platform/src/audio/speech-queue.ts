import { FRAME_SAMPLES } from '@heyline/room-protocol'

/** Length of the fade where speech is cut or runs out, in samples: 5 ms. */
const FADE_OUT = 80
/** Length of the fade where speech begins after silence: 2 ms. */
const FADE_IN = 32

/** From 1 to 0 along half a cosine. */
const FALLING = Float32Array.from(
  { length: FADE_OUT },
  (_, n) => (1 + Math.cos((Math.PI * n) / FADE_OUT)) / 2,
)

type Item = Int16Array | (() => void)

/**
 * Speech on its way to a line, PCM16 16 kHz, in frames of 20 ms. It begins and ends without a step, wherever it is cut and wherever
 * it runs out. The samples that it is given stay as they are.
 */
export class SpeechQueue {
  #items: Item[] = []
  /** The rest of a fade that was begun. */
  #fade: Int16Array = new Int16Array(0)
  #last = 0
  #isSounding = false
  #risen = 0
  #passed: Array<() => void> = []

  add(samples: Int16Array): void {
    if (samples.length > 0) this.#items.push(samples)
  }

  /** `passed` runs when all speech before it was taken. */
  mark(passed: () => void): void {
    this.#items.push(passed)
  }

  /** Runs the marks whose speech was taken. */
  passMarks(): void {
    for (const passed of this.#takePassed()) passed()
  }

  /** Drops what is queued, marks too. Speech that has begun fades out. */
  cut(): void {
    const rest = this.#isSounding ? this.#ahead() : undefined
    this.#items = []
    this.#passed = []
    if (rest) this.#fadeOut(rest)
  }

  /** The next 20 ms, filled up with silence; undefined where nothing sounds. `speech` says how many samples of speech are in it. */
  next(): { samples: Int16Array; speech: number } | undefined {
    const samples = new Int16Array(FRAME_SAMPLES)
    let filled = this.#takeFade(samples, 0)
    let speech = 0
    while (filled < FRAME_SAMPLES) {
      const item = this.#items[0]
      if (item === undefined) {
        if (!this.#isSounding) break
        this.#fadeOut(new Int16Array(FADE_OUT).fill(this.#last))
        filled = this.#takeFade(samples, filled)
        break
      }
      if (typeof item === 'function') {
        this.#items.shift()
        this.#passed.push(item)
        continue
      }
      const piece = item.subarray(0, FRAME_SAMPLES - filled)
      if (piece.length === item.length) this.#items.shift()
      else this.#items[0] = item.subarray(piece.length)
      this.#copy(piece, samples, filled)
      filled += piece.length
      speech += piece.length
    }
    return filled === 0 ? undefined : { samples, speech }
  }

  #takePassed(): Array<() => void> {
    const passed = this.#passed
    this.#passed = []
    for (let item = this.#items[0]; typeof item === 'function'; item = this.#items[0]) {
      passed.push(item)
      this.#items.shift()
    }
    return passed
  }

  #copy(piece: Int16Array, samples: Int16Array, at: number): void {
    if (!this.#isSounding) this.#risen = 0
    this.#isSounding = true
    samples.set(piece, at)
    for (let index = 0; this.#risen < FADE_IN && index < piece.length; index += 1, this.#risen += 1)
      samples[at + index] = Math.round(((piece[index] ?? 0) * this.#risen) / FADE_IN)
    this.#last = samples[at + piece.length - 1] ?? 0
  }

  /** What would have been heard next, as long as a fade. Where there is less, the last sample stands still. */
  #ahead(): Int16Array {
    const ahead = new Int16Array(FADE_OUT)
    let filled = 0
    for (const item of this.#items) {
      if (typeof item === 'function') continue
      const piece = item.subarray(0, FADE_OUT - filled)
      ahead.set(piece, filled)
      filled += piece.length
      if (filled === FADE_OUT) return ahead
    }
    return ahead.fill(filled === 0 ? this.#last : (ahead[filled - 1] ?? 0), filled)
  }

  #fadeOut(samples: Int16Array): void {
    this.#isSounding = false
    this.#fade = samples.map((sample, n) => Math.round(sample * (FALLING[n] ?? 0)))
  }

  /** Copies what fits of a fade. Returns where it ends. */
  #takeFade(samples: Int16Array, at: number): number {
    const piece = this.#fade.subarray(0, FRAME_SAMPLES - at)
    samples.set(piece, at)
    this.#fade = this.#fade.subarray(piece.length)
    return at + piece.length
  }
}
