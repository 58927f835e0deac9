import { type Clock, systemClock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'

/** How long a slug that was found is taken to be there, in ms. */
const KNOWN_MS = 5_000
/** So many are remembered: those that were found last. */
const MOST = 1_000

/**
 * Whether there is a visitor with a slug, without a question to the database for each request of a flood that names the same one. Only what
 * was found is remembered, so a new visitor is there at once.
 */
export class KnownSlugs {
  readonly #exists: (slug: string) => Promise<boolean>
  readonly #clock: Clock
  /** Until when each is known. */
  readonly #known = new RecentMap<string, number>(MOST)

  constructor(exists: (slug: string) => Promise<boolean>, clock: Clock = systemClock) {
    this.#exists = exists
    this.#clock = clock
  }

  /** Rejects as the question to the database does. */
  async has(slug: string): Promise<boolean> {
    const until = this.#known.get(slug)
    if (until !== undefined && this.#clock.monotonic() < until) return true
    this.#known.delete(slug)
    if (!(await this.#exists(slug))) return false
    this.#known.set(slug, this.#clock.monotonic() + KNOWN_MS)
    return true
  }
}
