import { FairLine, type FairLineOptions } from '@heyline/kit/fair-line'
import { type Leave, NoTurnError } from '@heyline/kit/waiting-line'
import { AuthError } from '../wire/auth-error.js'
import type { Place } from '../wire/networks.js'

/**
 * What people ask of the database and of argon2: one after the other, so that a flood leaves the rest to pages and calls, and of each network
 * in turn, so that it leaves the rest to everybody else.
 */
const ONE_BY_ONE: FairLineOptions = {
  atOnce: 1,
  waiting: { ofAddress: 5, ofNetwork: 10, networks: 100 },
  longestMs: 5_000,
}

/** Who gets no turn is told to come again: 429 `over_request_rate_limit`. */
export class Turns {
  readonly #line = new FairLine(ONE_BY_ONE)

  async run<Result>(place: Place, work: () => Promise<Result>): Promise<Result> {
    return await this.#line.run(place, work).catch(refuseCrowd)
  }

  /** For what goes on after its answer: resolves with what ends the turn. */
  async enter(place: Place): Promise<Leave> {
    return await this.#line.enter(place).catch(refuseCrowd)
  }
}

/** For whoever catches what a line says. */
export function refuseCrowd(
  error: unknown,
  message = 'Too many sign in at the same time. Try again in a moment.',
): never {
  if (!(error instanceof NoTurnError)) throw error
  throw AuthError.tooMany(message, 1_000)
}
