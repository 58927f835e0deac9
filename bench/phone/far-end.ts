import { decodeMuLaw } from '../../packages/voice-platform/src/audio/mu-law.js'

const FRAME_MS = 20
/** Samples of a frame. */
const FRAME = 160
/** Above this, somebody speaks; in dB to full scale. */
const AUDIBLE_DBFS = -40

/** A frame that came, when (`performance.now()`), and how loud it is. */
interface HeardFrame {
  at: number
  dbfs: number
  samples: Int16Array
}

/** One call at the other end of the wire, which a person listens and speaks through. Time passes only in `pass`. */
export interface FarCall {
  /** Hears of each frame of speech that comes, mu-law, before it is played. */
  onFrame: (speech: Uint8Array) => void
  /** Resolves when the call is over. */
  readonly ended: Promise<void>
  /** Frames that wait to be played, in milliseconds. */
  readonly queuedMs: number
  /** Picks up. */
  answer(): Promise<'streaming' | 'hung up'>
  /** So many milliseconds of what waits are played, and so many of these samples (PCM16 8 kHz) and of silence go out. */
  pass(milliseconds: number, samples: Int16Array): void
  hangUp(): void
}

/** A server with a carrier of phone calls, and the phones behind it. */
export interface PhoneHeyline {
  /** Processor time of the server so far, in milliseconds. */
  cpuMs(): Promise<number>
  /** Has a number called, each time another; resolves when it rings. */
  ring(assistant: object): Promise<FarEnd>
  stop(): Promise<void>
}

/** The person at a phone: hears what comes, and speaks, in real time, until the call is over. */
export class FarEnd {
  readonly frames: HeardFrame[] = []
  /** How long there was nothing to play since the first frame came, in milliseconds. */
  dryMs = 0
  /** When the phone was picked up. */
  answeredAt = Number.NaN
  isOver = false
  readonly #call: FarCall
  #toSay: Int16Array = new Int16Array(0)
  #passed = 0
  #began = Number.NaN
  #timer: NodeJS.Timeout | undefined

  constructor(call: FarCall) {
    this.#call = call
    call.onFrame = (bytes) => this.#hear(decodeMuLaw(bytes))
    void call.ended.then(() => this.#end())
  }

  /** Picks up the phone. */
  async answer(): Promise<void> {
    this.answeredAt = performance.now()
    if ((await this.#call.answer()) !== 'streaming') throw new Error('The call was not connected.')
    this.#began = performance.now()
    // What has come by now is read before it is missed.
    this.#timer = setInterval(() => setImmediate(() => this.#tick()), FRAME_MS)
  }

  /** PCM16 8 kHz, from now on. */
  say(speech: Int16Array): void {
    this.#toSay = speech
  }

  hangUp(): void {
    this.#end()
    this.#call.hangUp()
  }

  get speaks(): boolean {
    return this.#toSay.length > 0
  }

  /** Frames with speech. */
  get audible(): HeardFrame[] {
    return this.frames.filter(({ dbfs }) => dbfs > AUDIBLE_DBFS)
  }

  /** From the answer to the first word. */
  get firstWordMs(): number {
    return (this.audible[0]?.at ?? Number.NaN) - this.answeredAt
  }

  /** Between frames, in milliseconds. */
  get gaps(): number[] {
    return this.frames.slice(1).map(({ at }, before) => at - (this.frames[before]?.at ?? at))
  }

  /** How long nobody has been heard, in milliseconds; 0 before the first word. */
  get quietMs(): number {
    const last = this.frames.findLastIndex(({ dbfs }) => dbfs > AUDIBLE_DBFS)
    return last < 0 ? 0 : (this.frames.length - 1 - last) * FRAME_MS
  }

  #hear(samples: Int16Array): void {
    const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length
    this.frames.push({ at: performance.now(), dbfs: 10 * Math.log10(power + 1e-12), samples })
  }

  #tick(): void {
    const due = Math.floor((performance.now() - this.#began) / FRAME_MS)
    for (; this.#passed < due; this.#passed += 1) {
      if (this.frames.length > 0 && this.#call.queuedMs === 0) this.dryMs += FRAME_MS
      this.#call.pass(FRAME_MS, this.#toSay.subarray(0, FRAME))
      this.#toSay = this.#toSay.subarray(FRAME)
    }
  }

  #end(): void {
    this.isOver = true
    clearInterval(this.#timer)
  }
}
