import type { Clock } from '@heyline/kit/clock'
import { FRAME_SAMPLES, SAMPLE_RATE } from '@heyline/room-protocol'
import type { MarkOutcome } from './link.js'

const SAMPLES_PER_MS = SAMPLE_RATE / 1000

type Item = { samples: Int16Array } | { settle(outcome: MarkOutcome): void }

export interface PlayoutHandlers {
  /** The next piece of speech, at most 20 ms, at the moment at which it begins to be heard. */
  onFrame?(samples: Int16Array): void
  /** Everything queued has been heard. */
  onDrained?(): void
}

/** A loudspeaker in real time. It plays queued speech in 20 ms frames and settles each mark when playback reaches it. */
export class Playout {
  readonly #clock: Clock
  readonly #handlers: PlayoutHandlers
  readonly #queue: Item[] = []
  /** When the next queued sample is to be heard. */
  #playhead = 0
  #playedSinceMark = 0
  #stopTimer: (() => void) | undefined
  #ended = false
  #playedAtEnd = 0

  constructor(clock: Clock, handlers: PlayoutHandlers) {
    this.#clock = clock
    this.#handlers = handlers
  }

  add(samples: Int16Array): void {
    if (samples.length > 0) this.#push({ samples })
  }

  mark(): Promise<MarkOutcome> {
    if (this.#ended) return Promise.resolve('cleared')
    return new Promise((settle) => this.#push({ settle }))
  }

  /** Drops what is queued. Returns the milliseconds played since the last mark that was reached, up to now or to the end. */
  clear(): number {
    return this.#ended ? this.#playedAtEnd : this.#drop()
  }

  /** Drops everything, for good. Idempotent. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#playedAtEnd = this.#drop()
  }

  #drop(): number {
    const unheard = Math.max(0, this.#playhead - this.#clock.monotonic())
    const played = Math.max(0, this.#playedSinceMark - unheard)
    this.#stopTimer?.()
    this.#stopTimer = undefined
    this.#playhead = 0
    this.#playedSinceMark = 0
    for (const item of this.#queue.splice(0)) if ('settle' in item) item.settle('cleared')
    return played
  }

  #push(item: Item): void {
    if (this.#ended) return
    this.#queue.push(item)
    if (this.#stopTimer) return
    this.#playhead = Math.max(this.#playhead, this.#clock.monotonic())
    this.#schedule()
  }

  #schedule(): void {
    this.#stopTimer = this.#clock.after(Math.max(0, this.#playhead - this.#clock.monotonic()), () => {
      this.#stopTimer = undefined
      this.#play()
    })
  }

  #play(): void {
    while (this.#playhead <= this.#clock.monotonic()) {
      const item = this.#queue[0]
      if (!item) {
        this.#handlers.onDrained?.()
        return
      }
      if ('settle' in item) {
        this.#queue.shift()
        this.#playedSinceMark = 0
        item.settle('played')
      } else this.#playFrame(item)
      // What was told may have cleared or ended this playout.
      if (this.#stopTimer || this.#ended) return
    }
    this.#schedule()
  }

  #playFrame(item: { samples: Int16Array }): void {
    const frame = item.samples.subarray(0, FRAME_SAMPLES)
    item.samples = item.samples.subarray(FRAME_SAMPLES)
    if (item.samples.length === 0) this.#queue.shift()
    const ms = frame.length / SAMPLES_PER_MS
    this.#playhead += ms
    this.#playedSinceMark += ms
    this.#handlers.onFrame?.(frame)
  }
}
