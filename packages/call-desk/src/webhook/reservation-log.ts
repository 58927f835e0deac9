import type { Logger } from 'pino'
import { alertBreaker } from '../gate/breaker.js'
import type { Refusal } from '../gate/refusal.js'
import type { Reservation } from '../queue/reserve.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import { errorCode } from '../run/error-code.js'
import { FloodLog } from '../run/flood-log.js'

/** Tells the log what became of reservations: ids and codes, never a number. Of a flood it tells once a minute. Refusals are counted, too. */
export class ReservationLog {
  readonly #logger: Logger
  readonly #flood: FloodLog
  readonly #measures: DeskMeasures | undefined

  constructor(logger: Logger, measures?: DeskMeasures, clock?: () => number) {
    this.#logger = logger
    this.#measures = measures
    this.#flood = new FloodLog(logger, clock)
  }

  write(reservation: Reservation): void {
    if (reservation.result === 'stored') {
      const { id, state } = reservation.request
      this.#logger.info({ requestId: id, state }, 'call request')
    }
    if (reservation.result !== 'refused') return
    const { request, refusal, tripped } = reservation
    this.#measures?.refused('phone', 'out', refusal)
    if (tripped) alertBreaker(this.#logger, tripped)
    if (request) this.#flood.refusal({ requestId: request.id, state: request.state, refusal }, 'call request')
    else
      this.#flood.rarely(
        { refusal },
        'refused requests flood the call webhook: beyond so many of an address, a network or all, none is stored',
      )
  }

  /** A request could not be verified or stored, and nothing was called. */
  fault(error: unknown): void {
    this.#flood.fault(errorCode(error), 'a call request could not be stored')
  }

  /** A request was not looked at, because so many others wait. */
  crowd(reason: string): void {
    this.#flood.rarely(
      { reason },
      'more call requests come than can be stored: those beyond are answered 503',
    )
  }

  /** A request was not looked at, because its client asks on although it is refused each time. */
  insistence(refusal: Refusal): void {
    this.#measures?.refused('phone', 'out', refusal)
    this.#flood.rarely(
      {},
      'one address or network asks on although it is refused each time: it is looked at once a second',
    )
  }

  /** A request was not looked at, because others of the same client are. */
  greed(): void {
    this.#flood.rarely(
      {},
      'one address or network asks for more calls at a time than it may: its requests beyond are answered 503',
    )
  }

  /** A request brought nothing that can be a token of the human check, or so many failed that nothing is stored of this one. */
  unchecked(): void {
    this.#measures?.refused('phone', 'out', 'human_check_failed')
    this.#flood.rarely(
      { refusal: 'human_check_failed' },
      'call requests come without a valid token of the human check: they are refused, and not stored',
    )
  }
}
