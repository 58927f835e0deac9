import { NoTurnError, WaitingLine, type WaitingLineOptions } from '@heyline/kit/waiting-line'
import { AuthError } from '../wire/auth-error.js'

/** What strangers ask of the database and of argon2: one after the other, so that a flood leaves the rest to pages and calls. */
const STRANGERS = { atOnce: 1, waiting: 60, longestMs: 5_000 }

/** A short line. Who gets no turn in it is told to come again: 429 `over_request_rate_limit`. */
export class Turns {
  readonly #line: WaitingLine

  constructor(options: Required<WaitingLineOptions> = STRANGERS) {
    this.#line = new WaitingLine(options)
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#line.run(work)
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error
      throw AuthError.tooMany('Too many sign in at the same time. Try again in a moment.', 1_000)
    }
  }
}
