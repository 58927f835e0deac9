import type { Logger } from 'pino'
import type { Refusal } from '../gate/refusal.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import { errorCode } from '../run/error-code.js'
import { FloodLog } from '../run/flood-log.js'
import type { StoredWebCall } from './web-rows.js'

/** Tells the log what became of requests for browser calls: ids and codes. Of a flood it tells once a minute. Refusals are counted, too. */
export class WebCallLog {
  readonly #logger: Logger
  readonly #flood: FloodLog
  readonly #measures: DeskMeasures | undefined

  constructor(logger: Logger, measures?: DeskMeasures, clock?: () => number) {
    this.#logger = logger
    this.#measures = measures
    this.#flood = new FloodLog(logger, clock)
  }

  write({ id, refusal }: StoredWebCall): void {
    if (refusal !== undefined) this.refused(refusal)
    if (refusal === undefined) this.#logger.info({ requestId: id, state: 'dialling' }, 'browser call')
    else if (id !== undefined)
      this.#flood.refusal({ requestId: id, state: 'refused', refusal }, 'browser call')
    else
      this.#flood.rarely({ refusal }, 'browser calls are asked for in a flood: those refused are not stored')
  }

  /** A request was refused without a look at the database. */
  refused(refusal: Refusal): void {
    this.#measures?.refused('web', 'out', refusal)
  }

  /** A call could not be stored, and none begins. */
  fault(error: unknown): void {
    this.#flood.fault(errorCode(error), 'a browser call could not be stored')
  }

  /** Whether there is a visitor with the slug is not known: the call begins without one. */
  lookUpFault(error: unknown): void {
    this.#flood.fault(errorCode(error), 'the visitor of a browser call could not be looked up')
  }

  /** A request was not looked at, because so many others wait. */
  crowd(reason: string): void {
    this.#flood.rarely(
      { reason },
      'more browser calls are asked for than can be stored: those beyond get 503',
    )
  }
}
