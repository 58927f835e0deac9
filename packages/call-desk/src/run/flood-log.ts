import type { Logger } from 'pino'
import { Rate } from './rate.js'

/** So many lines a minute are about refused requests. */
const REFUSALS_MOST = 60

/** The log where strangers cause what is told: a flood of theirs does not become a flood of lines. */
export class FloodLog {
  readonly #logger: Logger
  readonly #refusals: Rate
  readonly #others: Rate
  readonly #untold = new Map<string, number>()

  constructor(logger: Logger, clock?: () => number) {
    this.#logger = logger
    this.#refusals = new Rate(REFUSALS_MOST, clock)
    this.#others = new Rate(1, clock)
  }

  /** A request was refused and stored: `heyline calls list` has all of them, the log the first sixty of a minute. */
  refusal(fields: object, message: string): void {
    if (this.#refusals.count(message)) this.#logger.info(fields, message)
    else
      this.rarely(
        { most: REFUSALS_MOST },
        `more refusals (${message}) come in a minute than are told here: heyline calls list has them`,
      )
  }

  /** Tells it once a minute. `untold` says how often it happened since the last line. */
  rarely(fields: object, message: string): void {
    this.#once('warn', fields, message, message)
  }

  /** Something of ours, or of a service that we ask, failed: tells each reason once a minute, as an error. */
  fault(reason: string, message: string): void {
    this.#once('error', { reason }, message, `${message}: ${reason}`)
  }

  #once(level: 'warn' | 'error', fields: object, message: string, name: string): void {
    const untold = this.#untold.get(name) ?? 0
    if (!this.#others.count(name)) {
      this.#untold.set(name, untold + 1)
      return
    }
    this.#untold.delete(name)
    this.#logger[level]({ ...fields, ...(untold > 0 && { untold }) }, message)
  }
}
