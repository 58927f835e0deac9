import type { Clock } from '@heyline/kit/clock'
import type { WebSocket } from 'ws'

/** Time between two pings, in milliseconds. */
const INTERVAL_MS = 10_000
/** So many pings in a row may stay without any sign of life. */
const MOST_MISSES = 2
/** So many may stay without a pong of a client that sends: a slow line may hold half a minute of speech before them. */
const MOST_UNANSWERED = 6
const GOING_AWAY = 1001
const POLICY_VIOLATION = 1008

/**
 * Finds out that a client is gone whose connection was never closed (a cable pulled, a laptop asleep): pings it every ten
 * seconds, and closes the socket with 1001 and cuts it when nothing at all, pong or frame, has come for two of them. And that a
 * client sends, but does not read: one that has answered none of the pings of a minute is closed with 1008, or by `onDeaf`. Ends
 * with the socket.
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

  /** Nobody is there to answer a close; who is there nevertheless hears why. */
  #cut(): void {
    this.#socket.close(GOING_AWAY, 'no sign of life')
    this.#socket.terminate()
  }
}
