import type { Logger } from 'pino'
import type { Reservation } from '../queue/reserve.js'

/** Between two lines about floods. */
const floodEveryMs = 60_000

/** Tells the log what became of reservations: ids and codes, never a number. Of a flood it tells once a minute. */
export class ReservationLog {
  readonly #logger: Logger
  readonly #clock: () => number
  #floodAt = Number.NEGATIVE_INFINITY

  constructor(logger: Logger, clock: () => number = () => performance.now()) {
    this.#logger = logger
    this.#clock = clock
  }

  write(reservation: Reservation): void {
    if (reservation.result === 'stored') {
      const { id, state } = reservation.request
      this.#logger.info({ requestId: id, state }, 'call request')
    }
    if (reservation.result !== 'refused') return
    const { request, refusal, tripped } = reservation
    if (tripped) {
      // The alert: somebody has to look, and to resume.
      this.#logger.error(
        { reason: tripped },
        'the circuit breaker opened: nothing is dialled until it is resumed',
      )
    }
    if (request) this.#logger.info({ requestId: request.id, state: request.state, refusal }, 'call request')
    else this.#flood(refusal)
  }

  #flood(refusal: string): void {
    const now = this.#clock()
    if (now - this.#floodAt < floodEveryMs) return
    this.#floodAt = now
    this.#logger.warn({ refusal }, 'an address floods the call webhook: its refused requests are not stored')
  }
}
