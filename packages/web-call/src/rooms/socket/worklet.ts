/**
 * The audio thread's half of the socket room: capture and player. Loaded as it stands by `audioWorklet.addModule`,
 * so it imports nothing. Its messages are the types below; the other end is `browser-audio.ts`.
 */

declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort
  abstract process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void
/** The context's rate. The context keeps the device's, since browsers dislike a forced one. */
declare const sampleRate: number

const WIRE_RATE = 16_000
/** 20 ms, the frame of the wire. */
const FRAME_SAMPLES = 320
/** What is gathered before playback begins, so that a late frame is not heard: 60 ms. */
const PREBUFFER_SAMPLES = (WIRE_RATE * 60) / 1000
/** Samples on each side of a point that make up its value; at the lower of the two rates. */
const REACH = 16
/** The resampler's cut-off as a part of the lower rate's band: what is above would come back as a false tone. */
const CUTOFF = 0.92

/** To the player. */
export type PlayerRequest =
  | { type: 'play'; samples: Int16Array }
  | { type: 'mark'; id: number }
  | { type: 'clear'; id: number }
  | { type: 'observe'; intervalMs: number }

/** From the player. */
export type PlayerReport =
  | { type: 'audible' }
  | { type: 'reached'; id: number }
  | { type: 'cleared'; id: number; playedMs: number }
  | { type: 'level'; level: number }

/**
 * Changes the rate of a stream: a windowed sinc, as a table of its phases. Both rates are whole numbers, so a position
 * is a whole number of phases and never drifts. Push samples until it is `ready`, then take one; 0 dB in the pass band.
 */
export class Resampler {
  readonly #phases: Float32Array[]
  readonly #stepPhases: number
  readonly #history: Float32Array
  #newest = 0
  #position: number

  constructor(from: number, to: number) {
    const divisor = greatestCommonDivisor(from, to)
    const phases = to / divisor
    this.#stepPhases = from / divisor
    this.#phases = Array.from({ length: phases }, (_, phase) => filter(phase / phases, from, to))
    this.#history = new Float32Array(2 * (this.#phases[0]?.length ?? 0))
    this.#position = phases
  }

  /** Whether the next output sample needs no more input. */
  get ready(): boolean {
    return this.#position < this.#phases.length
  }

  push(sample: number): void {
    // Written twice, so that the last samples always lie in one piece, oldest first.
    const length = this.#history.length / 2
    this.#history[this.#newest] = sample
    this.#history[this.#newest + length] = sample
    this.#newest = (this.#newest + 1) % length
    this.#position -= this.#phases.length
  }

  take(): number {
    const taps = this.#phases[this.#position] ?? new Float32Array()
    let sum = 0
    for (let tap = 0; tap < taps.length; tap++)
      sum += (taps[tap] ?? 0) * (this.#history[this.#newest + tap] ?? 0)
    this.#position += this.#stepPhases
    return sum
  }
}

/** The filter's taps, oldest sample first, for a point that lies `fraction` of a sample after the middle one. */
function filter(fraction: number, from: number, to: number): Float32Array {
  const cutoff = CUTOFF * Math.min(1, to / from)
  const reach = Math.ceil(REACH * Math.max(1, from / to))
  const taps = Float32Array.from({ length: 2 * reach }, (_, tap) => {
    const x = tap - reach + 1 - fraction
    const turn = (Math.PI * x) / reach
    const blackman = Math.abs(x) >= reach ? 0 : 0.42 + 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn)
    return blackman * (x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x))
  })
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

/** Microphone to wire: frames of 20 ms as `Int16Array`. */
export class Capture extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(sampleRate, WIRE_RATE)
  #frame = new Int16Array(FRAME_SAMPLES)
  #filled = 0

  process(inputs: Float32Array[][]): boolean {
    for (const sample of inputs[0]?.[0] ?? []) {
      this.#resampler.push(sample)
      while (this.#resampler.ready) this.#write(this.#resampler.take())
    }
    return true
  }

  #write(sample: number): void {
    this.#frame[this.#filled++] = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)
    if (this.#filled < FRAME_SAMPLES) return
    this.port.postMessage(this.#frame, [this.#frame.buffer])
    this.#frame = new Int16Array(FRAME_SAMPLES)
    this.#filled = 0
  }
}

type Queued = { samples: Int16Array } | { mark: number }

/** Wire to loudspeaker: a queue of speech and marks. */
export class Player extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(WIRE_RATE, sampleRate)
  #queue: Queued[] = []
  /** Samples of the first of the queue that were taken. */
  #taken = 0
  #queuedSamples = 0
  /** Output samples since something began to wait for the prebuffer to fill. */
  #waited = 0
  #playing = false
  #wasAudible = false
  #sinceMark = 0
  #levelEvery = 0
  #power = 0
  #measured = 0

  constructor() {
    super()
    this.port.onmessage = ({ data }: MessageEvent<PlayerRequest>) => this.#obey(data)
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const output = outputs[0]?.[0]
    if (!output) return true
    this.#passMarks()
    this.#startWhenBuffered(output.length)
    for (let index = 0; index < output.length; index++) {
      while (!this.#resampler.ready) this.#resampler.push(this.#playing ? this.#next() : 0)
      const sample = this.#resampler.take()
      output[index] = sample
      this.#power += sample * sample
    }
    this.#reportLevel(output.length)
    return true
  }

  #obey(request: PlayerRequest): void {
    if (request.type === 'play') {
      this.#queue.push({ samples: request.samples })
      this.#queuedSamples += request.samples.length
    } else if (request.type === 'mark') this.#queue.push({ mark: request.id })
    else if (request.type === 'clear') this.#clear(request.id)
    else {
      this.#levelEvery = (request.intervalMs * sampleRate) / 1000
      this.#power = 0
      this.#measured = 0
    }
  }

  #clear(id: number): void {
    const playedMs = (this.#sinceMark * 1000) / WIRE_RATE
    this.#queue = []
    this.#taken = 0
    this.#queuedSamples = 0
    this.#sinceMark = 0
    this.#playing = false
    this.#report({ type: 'cleared', id, playedMs })
  }

  /** Playback begins when enough is there, when a mark says that no more comes, or when no more has come. */
  #startWhenBuffered(outputSamples: number): void {
    if (this.#playing || this.#queuedSamples === 0) {
      this.#waited = 0
      return
    }
    const last = this.#queue.at(-1)
    const waitedEnough = this.#waited * WIRE_RATE >= PREBUFFER_SAMPLES * sampleRate
    const isWhole = last !== undefined && 'mark' in last
    this.#waited += outputSamples
    if (this.#queuedSamples < PREBUFFER_SAMPLES && !isWhole && !waitedEnough) return
    this.#playing = true
    if (!this.#wasAudible) this.#report({ type: 'audible' })
    this.#wasAudible = true
  }

  #next(): number {
    this.#passMarks()
    const first = this.#queue[0]
    if (!first || !('samples' in first)) {
      this.#playing = false
      return 0
    }
    const sample = first.samples[this.#taken++] ?? 0
    this.#queuedSamples--
    this.#sinceMark++
    if (this.#taken === first.samples.length) this.#dropFirst()
    return sample / 32_768
  }

  /** Reports the marks that the queue begins with. Whatever came before them has been played. */
  #passMarks(): void {
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      if ('mark' in first) {
        this.#sinceMark = 0
        this.#report({ type: 'reached', id: first.mark })
      } else if (first.samples.length > 0) return
      this.#dropFirst()
    }
  }

  #dropFirst(): void {
    this.#queue.shift()
    this.#taken = 0
  }

  #reportLevel(samples: number): void {
    this.#measured += samples
    if (this.#levelEvery === 0 || this.#measured < this.#levelEvery) return
    this.#report({ type: 'level', level: Math.sqrt(this.#power / this.#measured) })
    this.#power = 0
    this.#measured = 0
  }

  #report(report: PlayerReport): void {
    this.port.postMessage(report)
  }
}

registerProcessor('heyline-capture', Capture)
registerProcessor('heyline-player', Player)
