import { placeOf } from '@heyline/call-desk'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { FairLine, type FairLineOptions } from '@heyline/kit/fair-line'
import { RecentMap } from '@heyline/kit/recent-map'
import { hashOf } from '@heyline/kit/secret'
import { NoTurnError } from '@heyline/kit/waiting-line'
import { OperatorsError } from '../operators/operators-error.js'

/**
 * Credentials that nobody has shown yet are looked up one by one, so that somebody who makes them up keeps nobody from the database, and of
 * each network in turn, so that he keeps nobody from the line.
 */
const LOOK_UPS: FairLineOptions = {
  atOnce: 1,
  waiting: { ofAddress: 100, ofNetwork: 500, networks: 1_000 },
  longestMs: 3_000,
}
/** How long a credential that was good waits for nobody, in ms. It is looked up all the same. */
const KNOWN_MS = 10 * 60_000
/** So many are known; the one that was shown first is forgotten. */
const MOST_KNOWN = 1_000

/** The turns of cookies, API keys and access tokens. */
export class CredentialTurns {
  readonly #line = new FairLine(LOOK_UPS)
  readonly #known = new RecentMap<string, number>(MOST_KNOWN)
  readonly #clock: Pick<Clock, 'monotonic'>

  constructor(clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#clock = clock
  }

  /**
   * Looks a credential up when its turn has come. What it finds is good, and undefined or an error is not. Rejects with an `OperatorsError`,
   * `too_many_attempts`, where too many wait.
   */
  async run<Found>(
    credential: string,
    address: string | undefined,
    look: () => Promise<Found>,
  ): Promise<Found> {
    const key = hashOf(credential)
    const isKnown = this.#clock.monotonic() - (this.#known.get(key) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS
    this.#known.delete(key)
    const found = isKnown
      ? await look()
      : await this.#line.run(placeOf(address ?? 'unknown'), look).catch(refuseCrowd)
    if (found !== undefined) this.#remember(key)
    return found
  }

  #remember(key: string): void {
    this.#known.set(key, this.#clock.monotonic())
  }
}

function refuseCrowd(error: unknown): never {
  if (!(error instanceof NoTurnError)) throw error
  throw new OperatorsError('too_many_attempts', 'Too many come in at the same time: try again in a moment', {
    cause: error,
    waitSeconds: 1,
  })
}
