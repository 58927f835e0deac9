import type { WebSocket } from 'ws'
import type { Clock } from '../clock.js'

/** Time between two pings, in milliseconds. */
const INTERVAL_MS = 10_000
/** So many pings in a row may stay without any sign of life. */
const MOST_MISSES = 2

/**
 * Finds out that a client is gone whose connection was never closed (a cable pulled, a laptop asleep): pings it every ten
 * seconds, and terminates the socket when nothing at all, pong or frame, has come for two of them. Ends with the socket.
 */
export class Heartbeat {
  readonly #socket: WebSocket
  readonly #clock: Clock
  #misses = 0
  #stopTimer = () => {}

  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket
    this.#clock = clock
    socket.on('pong', () => this.beat())
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
    this.#stopTimer = this.#clock.after(INTERVAL_MS, () => {
      if (this.#misses >= MOST_MISSES) return this.#socket.terminate()
      this.#misses += 1
      if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
      this.#wait()
    })
  }
}
