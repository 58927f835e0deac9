import type { Clock } from '@heyline/kit/clock'
import { type RoomServerMessage, SAMPLE_RATE } from '@heyline/room-protocol'
import { HeardEstimate } from '../link/heard-estimate.js'
import type { MarkOutcome } from '../link/link.js'

/** How long a client may take to answer a clear, in milliseconds. Then its marks are settled without it. */
const CLEAR_TIMEOUT_MS = 1_000
/** A mark that the client does not report counts as reached this long after its speech should have been heard, in milliseconds. */
const MARK_GRACE_MS = 5_000

interface Mark {
  /** Where it stands in the speech that was sent since the last clear, in milliseconds. */
  position: number
  settle(outcome: MarkOutcome): void
}

interface Clear {
  /** The last mark that was set before the clear. */
  lastMark: number
  /** What the clock says was heard, for a client that does not answer. */
  heardMs: number
  done(playedMs: number): void
}

/**
 * The loudspeaker of a client that plays from its own queue. The client reports marks and clears. Where it does not, or is gone, the
 * clock decides, so that a silent client holds up nobody.
 */
export class RemotePlayback {
  readonly #clock: Clock
  readonly #ask: (message: RoomServerMessage) => void
  readonly #heard = new HeardEstimate()
  readonly #marks = new Map<number, Mark>()
  readonly #clears = new Map<number, Clear>()
  #lastId = 0
  #heardAtEnd: number | undefined

  /** `ask` sends the client `room.mark` and `room.clear`. */
  constructor(clock: Clock, ask: (message: RoomServerMessage) => void) {
    this.#clock = clock
    this.#ask = ask
  }

  /** This many samples went out. */
  sent(samples: number): void {
    if (this.#heardAtEnd !== undefined) return
    this.#heard.tick(this.#clock.monotonic())
    this.#heard.queue((samples * 1000) / SAMPLE_RATE)
  }

  /** Resolves when the client has reached this place, or must have. */
  mark(): Promise<MarkOutcome> {
    if (this.#heardAtEnd !== undefined) return Promise.resolve('cleared')
    const id = ++this.#lastId
    const now = this.#clock.monotonic()
    this.#heard.tick(now)
    return new Promise((resolve) => {
      const stop = this.#clock.after(this.#heard.endsAt - now + MARK_GRACE_MS, () => this.played(id))
      const settle = (outcome: MarkOutcome) => {
        stop()
        this.#marks.delete(id)
        resolve(outcome)
      }
      this.#marks.set(id, { position: this.#heard.position, settle })
      this.#ask({ type: 'room.mark', id })
    })
  }

  /** The client has reached a mark. An unknown mark is ignored. */
  played(id: number): void {
    const mark = this.#marks.get(id)
    if (!mark) return
    this.#heard.reach(mark.position)
    mark.settle('played')
  }

  /** Resolves with the milliseconds heard since the last mark that was reached, up to now or to the end. */
  clear(): Promise<number> {
    if (this.#heardAtEnd !== undefined) return Promise.resolve(this.#heardAtEnd)
    const lastMark = this.#lastId
    const id = ++this.#lastId
    const heardMs = this.#drop()
    return new Promise((resolve) => {
      const stop = this.#clock.after(CLEAR_TIMEOUT_MS, () => this.cleared(id, heardMs))
      const done = (playedMs: number) => {
        stop()
        resolve(playedMs)
      }
      this.#clears.set(id, { lastMark, heardMs, done })
      this.#ask({ type: 'room.clear', id })
    })
  }

  /** The client has cleared. Its marks are settled only now: one may have been reached while the clear was under way. */
  cleared(id: number, playedMs: number): void {
    const clear = this.#clears.get(id)
    if (!clear) return
    this.#clears.delete(id)
    for (const [mark, { settle }] of this.#marks) if (mark <= clear.lastMark) settle('cleared')
    clear.done(playedMs)
  }

  /** The client is gone, or sent away: nothing is played any more. Idempotent. */
  end(): void {
    if (this.#heardAtEnd !== undefined) return
    this.#heardAtEnd = this.#drop()
    for (const { settle } of this.#marks.values()) settle('cleared')
    for (const { done, heardMs } of this.#clears.values()) done(heardMs)
    this.#clears.clear()
  }

  #drop(): number {
    this.#heard.tick(this.#clock.monotonic())
    // A mark that is still under way must not count for the speech that follows.
    for (const mark of this.#marks.values()) mark.position = 0
    return this.#heard.clear()
  }
}
