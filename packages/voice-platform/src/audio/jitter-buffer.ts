import type { Clock } from '@heyline/kit/clock'
import { concealed } from './concealment.js'

const SAMPLES_PER_MS = 8
/** How long a missing frame is waited for, in milliseconds. */
const WAIT_MS = 60
/** Most frames that wait behind a missing one: half a second. */
const MOST_WAITING = 25
/** Longest gap that is filled, in samples: one second. A longer one was no loss, so the time after it counts anew. */
const MOST_FILLED = 1000 * SAMPLES_PER_MS
/** After so many frames in a row that came too late, the sender has begun to count anew. */
const MOST_LATE = 25
/** Pieces that are kept to conceal with: 40 ms of what phones send. */
const MOST_RECENT = 2
/** Over so many samples concealed sound passes into real sound: 5 ms. */
const BLEND = 40

/** Where a frame belongs. */
export interface FramePlace {
  /** Of its first sample, in samples of the sender's clock. Left out: right after the one before. */
  position?: number | undefined
  /** Counts frames one by one. A gap in time without one here is a pause of the sender, which is not waited for. */
  sequence?: number | undefined
}

interface Waiting {
  samples: Int16Array
  position: number
}

export interface JitterBufferOptions {
  clock: Clock
  /** Takes audio in order, without gaps: PCM16 8 kHz, any number of samples. */
  deliver(samples: Int16Array): void
}

/**
 * Brings a caller's frames into order, PCM16 8 kHz. A frame that comes in its turn passes at once. Others wait for the missing one,
 * 60 ms at most; then sound of the right length takes its place. Frames that come twice or too late are dropped.
 */
export class JitterBuffer {
  readonly #clock: Clock
  readonly #deliver: (samples: Int16Array) => void
  readonly #waiting: Waiting[] = []
  /** Where the next frame should begin. */
  #expected: number | undefined
  #lastSequence: number | undefined
  #late = 0
  /** What was delivered last, to conceal with. */
  readonly #recent: Int16Array[] = []
  /** Concealed sound that goes on into the next frame. */
  #tail = new Int16Array(0)
  #stopTimer: (() => void) | undefined

  constructor({ clock, deliver }: JitterBufferOptions) {
    this.#clock = clock
    this.#deliver = deliver
  }

  push(samples: Int16Array, { position, sequence }: FramePlace = {}): void {
    if (samples.length === 0) return
    const expected = this.#expected ?? position ?? 0
    const at = position ?? expected
    this.#expected = expected
    // Half a frame is how far a sender's clock may be inexact.
    if (at + samples.length / 2 < expected) {
      this.#tooLate(samples, at)
      return
    }
    this.#late = 0
    const isNext = sequence !== undefined && sequence - 1 === this.#lastSequence
    this.#lastSequence = Math.max(sequence ?? 0, this.#lastSequence ?? 0)
    this.#insert({ samples, position: at })
    this.#release()
    const mayWait = !(isNext && this.#waiting.length === 1) && this.#waiting.length <= MOST_WAITING
    if (!mayWait) this.#fill()
    this.#watch()
  }

  /** Forgets what waits. */
  end(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    this.#waiting.length = 0
  }

  #tooLate(samples: Int16Array, at: number): void {
    this.#late += 1
    if (this.#late <= MOST_LATE) return
    this.end()
    this.#lastSequence = undefined
    this.#late = 0
    this.#pass({ samples, position: at })
  }

  #insert(frame: Waiting): void {
    const index = this.#waiting.findIndex(({ position }) => position >= frame.position)
    if (index < 0) this.#waiting.push(frame)
    else if (this.#waiting[index]?.position !== frame.position) this.#waiting.splice(index, 0, frame)
  }

  /** Passes on what comes in its turn. */
  #release(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const { samples, position } = first
      const ahead = position - (this.#expected ?? position)
      if (ahead > samples.length / 2) return
      this.#waiting.shift()
      if (ahead + samples.length / 2 >= 0) this.#pass(first)
    }
  }

  #pass({ samples, position }: Waiting): void {
    this.#expected = position + samples.length
    this.#emit(this.#blended(samples))
  }

  /** Puts sound in the place of what is missing, and passes on what waited for it. */
  #fill(): void {
    const first = this.#waiting[0]
    if (first === undefined || this.#expected === undefined) return
    const missing = Math.min(first.position - this.#expected, MOST_FILLED)
    const sound = concealed(this.#heardLast(), missing + BLEND)
    this.#emit(sound.subarray(0, missing))
    this.#tail = sound.slice(missing)
    this.#expected = first.position
    this.#release()
  }

  #blended(samples: Int16Array): Int16Array {
    const tail = this.#tail
    if (tail.length === 0) return samples
    this.#tail = new Int16Array(0)
    return samples.map((sample, n) => {
      const share = Math.min(1, n / BLEND)
      return Math.round(sample * share + (tail[n] ?? 0) * (1 - share))
    })
  }

  #emit(samples: Int16Array): void {
    this.#recent.push(samples)
    if (this.#recent.length > MOST_RECENT) this.#recent.shift()
    this.#deliver(samples)
  }

  #heardLast(): Int16Array {
    const all = new Int16Array(this.#recent.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const samples of this.#recent) {
      all.set(samples, at)
      at += samples.length
    }
    return all
  }

  /** One alarm for the first gap. */
  #watch(): void {
    if (this.#waiting.length === 0) {
      this.#stopTimer?.()
      this.#stopTimer = undefined
      return
    }
    this.#stopTimer ??= this.#clock.after(WAIT_MS, () => {
      this.#stopTimer = undefined
      this.#fill()
      this.#watch()
    })
  }
}
