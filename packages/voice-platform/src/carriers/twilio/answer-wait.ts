import type { Clock } from '@heyline/kit/clock'
import { levelOf } from '@heyline/room-protocol'
import type { RawData, WebSocket } from 'ws'
import { decodeMuLaw } from '../../audio/mu-law.js'
import { readFrame } from './twilio-frame.js'

/** How long a call waits for the news that a person has answered, in milliseconds. */
const WAIT_MS = 2_000
/** Whoever still talks then is not interrupted: a person need not hear us yet, and a greeting that plays is a machine's. In all, in milliseconds. */
const TALKING_MS = 6_000
/** A pause of this length ends the talking, in milliseconds. */
const PAUSE_MS = 700
/** Frames below this level (0 to 1) are no talking. */
const FLOOR = 0.01

/**
 * The time between the answer to a call and the first word, while nobody knows yet whether a person has answered. It is over after two
 * seconds; where somebody talks then, at their first pause, and after six seconds in any case.
 */
export class AnswerWait {
  readonly #socket: WebSocket
  readonly #clock: Clock
  readonly #startedAt: number
  readonly #over: () => void
  readonly #hear = (data: RawData, isBinary: boolean) => this.#listen(data, isBinary)
  #talkedAt = Number.NEGATIVE_INFINITY
  #stopTimer = () => {}

  /** `over` is called once, unless `end` was called before. */
  constructor(socket: WebSocket, clock: Clock, over: () => void) {
    this.#socket = socket
    this.#clock = clock
    this.#over = over
    this.#startedAt = clock.monotonic()
    socket.on('message', this.#hear)
    this.#stopTimer = clock.after(WAIT_MS, () => this.#look())
  }

  end(): void {
    this.#stopTimer()
    this.#socket.off('message', this.#hear)
  }

  #look(): void {
    const now = this.#clock.monotonic()
    const until = Math.min(this.#talkedAt + PAUSE_MS, this.#startedAt + TALKING_MS)
    if (now < until) {
      this.#stopTimer = this.#clock.after(until - now, () => this.#look())
      return
    }
    this.end()
    this.#over()
  }

  #listen(data: RawData, isBinary: boolean): void {
    const frame = readFrame(data, isBinary)
    if (frame.event !== 'media' || frame.media.track !== 'inbound') return
    if (levelOf(decodeMuLaw(Buffer.from(frame.media.payload, 'base64'))) > FLOOR)
      this.#talkedAt = this.#clock.monotonic()
  }
}
