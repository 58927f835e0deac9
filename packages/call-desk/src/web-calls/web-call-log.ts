import type { Logger } from 'pino'
import type { StoredWebCall } from './web-rows.js'

/** Between two lines that say the same of a flood. */
const FLOOD_EVERY_MS = 60_000

/** Tells the log what became of requests for browser calls: ids and codes. Of a flood it tells once a minute. */
export class WebCallLog {
  readonly #logger: Logger
  readonly #clock: () => number
  readonly #saidAt = new Map<string, number>()

  constructor(logger: Logger, clock: () => number = () => performance.now()) {
    this.#logger = logger
    this.#clock = clock
  }

  write({ id, refusal }: StoredWebCall): void {
    if (refusal === undefined) this.#logger.info({ requestId: id, state: 'dialling' }, 'browser call')
    else if (id !== undefined) this.#logger.info({ requestId: id, state: 'refused', refusal }, 'browser call')
    else this.#rarely({ refusal }, 'browser calls are asked for in a flood: those refused are not stored')
  }

  /** A request was not looked at, because so many others wait. */
  crowd(reason: string): void {
    this.#rarely({ reason }, 'more browser calls are asked for than can be stored: those beyond get 503')
  }

  #rarely(fields: object, message: string): void {
    const now = this.#clock()
    if (now - (this.#saidAt.get(message) ?? Number.NEGATIVE_INFINITY) < FLOOD_EVERY_MS) return
    this.#saidAt.set(message, now)
    this.#logger.warn(fields, message)
  }
}
