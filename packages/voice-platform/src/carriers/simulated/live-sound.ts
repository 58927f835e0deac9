import type { Clock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { Link } from '../../link/link.js'

/** How far behind a listener may fall, in milliseconds: a line that stood still makes nobody hear the other side late for good. */
const MOST_BEHIND_MS = 1_000
/** How much sound passes between two questions how far the listener is, in samples. */
const ASK_EVERY = SAMPLE_RATE / 2

/** Passes the sound of one phone to another as it comes. A listener who falls behind loses what waits. */
export class LiveSound {
  readonly #to: Pick<Link, 'send' | 'mark' | 'clear'>
  readonly #clock: Clock
  #sinceMark = 0
  /** When the mark was set that the listener has not reached. */
  #markedAt: number | undefined

  constructor(to: Pick<Link, 'send' | 'mark' | 'clear'>, clock: Clock) {
    this.#to = to
    this.#clock = clock
  }

  pass(samples: Int16Array): void {
    const now = this.#clock.monotonic()
    if (this.#markedAt !== undefined && now - this.#markedAt > MOST_BEHIND_MS) {
      this.#markedAt = now
      void this.#to.clear()
    }
    this.#to.send(samples)
    this.#sinceMark += samples.length
    if (this.#markedAt !== undefined || this.#sinceMark < ASK_EVERY) return
    this.#sinceMark = 0
    this.#markedAt = now
    void this.#to.mark().then(() => {
      this.#markedAt = undefined
    })
  }
}
