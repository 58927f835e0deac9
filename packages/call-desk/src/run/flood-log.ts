import type { Logger } from 'pino'

/** Between two lines that say the same of a flood. */
const FLOOD_EVERY_MS = 60_000
/** So many lines about refused requests go to the log in that time: strangers can make them. */
const REFUSALS_MOST = 60

/** The log where strangers cause what is told: a flood of theirs does not become a flood of lines. */
export class FloodLog {
  readonly #logger: Logger
  readonly #clock: () => number
  readonly #saidAt = new Map<string, number>()
  #refusals = 0
  #since = Number.NEGATIVE_INFINITY

  constructor(logger: Logger, clock: () => number = () => performance.now()) {
    this.#logger = logger
    this.#clock = clock
  }

  /** A request was refused and stored: `heyline calls list` has all of them, the log the first sixty of a minute. */
  refusal(fields: object, message: string): void {
    const now = this.#clock()
    if (now - this.#since >= FLOOD_EVERY_MS) {
      this.#since = now
      this.#refusals = 0
    }
    this.#refusals += 1
    if (this.#refusals <= REFUSALS_MOST) this.#logger.info(fields, message)
    else
      this.rarely(
        { most: REFUSALS_MOST },
        `more refusals (${message}) come in a minute than are told here: heyline calls list has them`,
      )
  }

  /** Tells it once a minute. */
  rarely(fields: object, message: string): void {
    const now = this.#clock()
    if (now - (this.#saidAt.get(message) ?? Number.NEGATIVE_INFINITY) < FLOOD_EVERY_MS) return
    this.#saidAt.set(message, now)
    this.#logger.warn(fields, message)
  }
}
