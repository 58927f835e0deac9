import type { Clock } from '@heyline/kit/clock'
import type { WebSocket } from 'ws'

/** Time between two pings, in milliseconds. */
const INTERVAL_MS = 10_000
/** Most pings in a row without any sign of life. */
const MOST_MISSES = 2
/** Most pings without a pong, of a client that sends. Half a minute of speech may wait before them on a slow line. */
const MOST_UNANSWERED = 6
const GOING_AWAY = 1001
const POLICY_VIOLATION = 1008

/**
 * Pings a client every ten seconds. It finds two kinds of broken clients:
 * - One whose connection was never closed (a cable pulled, a laptop asleep). After two pings without any frame or pong the socket
 *   is closed with 1001 and cut.
 * - One that sends but does not read. After a minute without a pong the socket is closed with 1008, or by `onDeaf`.
 *
 * The heartbeat ends with its socket.
 */
export class Heartbeat {
  readonly #socket: WebSocket
  readonly #clock: Clock
  readonly #onDeaf: (code: number, reason: string) => void
  #misses = 0
  #unanswered = 0
  #stopTimer = () => {}

  constructor(socket: WebSocket, clock: Clock, onDeaf?: (code: number, reason: string) => void) {
    this.#socket = socket
    this.#clock = clock
    this.#onDeaf = onDeaf ?? ((code, reason) => socket.close(code, reason))
    socket.on('pong', () => {
      this.#unanswered = 0
      this.beat()
    })
    socket.once('close', () => this.stop())
    this.#wait()
  }

  /** The client has sent something. */
  beat(): void {
    this.#misses = 0
  }

  /** Idempotent. */
  stop(): void {
    this.#stopTimer()
  }

  #wait(): void {
    this.#stopTimer = this.#clock.after(INTERVAL_MS, () => this.#tick())
  }

  #tick(): void {
    if (this.#misses >= MOST_MISSES) this.#cut()
    else if (this.#unanswered >= MOST_UNANSWERED) this.#onDeaf(POLICY_VIOLATION, 'answers no pings')
    else this.#ping()
  }

  #ping(): void {
    this.#misses += 1
    this.#unanswered += 1
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
    this.#wait()
  }

  /** A client that is gone answers no close, so the socket is cut too. */
  #cut(): void {
    this.#socket.close(GOING_AWAY, 'no sign of life')
    this.#socket.terminate()
  }
}
