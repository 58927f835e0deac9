import { isIP, type LookupFunction } from 'node:net'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { lookupBy } from '@heyline/kit/guarded-lookup'
import { OperatorNames } from '@heyline/kit/operator-names'
import { RecentMap } from '@heyline/kit/recent-map'
import { abortable } from '../work/abortable.js'

/** So long the name of a server that has answered counts as known, in ms: longer than a turn. Of so many servers. */
const KNOWN_MS = 30_000
const KNOWN_MOST = 100

export interface EngineHostsOptions {
  /** Instead of the system's. */
  names?: Pick<OperatorNames, 'find'>
  clock?: Pick<Clock, 'monotonic'>
}

/**
 * The hosts of engines' servers. An engine whose name is not answered holds none of the few threads that the whole process has for lookups,
 * so that the names of others are found meanwhile.
 */
export class EngineHosts {
  /** For a connection of its own. */
  readonly lookup: LookupFunction
  readonly #names: Pick<OperatorNames, 'find'>
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #knownUntil = new RecentMap<string, number>(KNOWN_MOST)
  #isTrusting = false

  constructor({ names = new OperatorNames(), clock = systemClock }: EngineHostsOptions = {}) {
    this.#names = names
    this.#clock = clock
    this.lookup = lookupBy(names.find)
  }

  /**
   * Asks by `fetch`, which looks the name up itself, in a thread: so it only does where the name has just been answered, or the server has.
   * Of those who trust in the latter there is one at a time, and none after a failure: the name servers may have fallen silent since.
   * Rejects where nobody answers, with the signal's reason once it is aborted, and as `ask` does.
   */
  async whereKnown<Answer>(url: string, signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
    const hostname = new URL(url).hostname
    if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0) return await ask()
    const until = this.#knownUntil.get(hostname) ?? Number.NEGATIVE_INFINITY
    const trusts = !this.#isTrusting && this.#clock.monotonic() < until
    if (trusts) this.#isTrusting = true
    else await abortable(this.#answered(hostname), signal)
    try {
      const answer = await ask()
      this.#knownUntil.set(hostname, this.#clock.monotonic() + KNOWN_MS)
      return answer
    } catch (error) {
      this.#knownUntil.clear()
      throw error
    } finally {
      if (trusts) this.#isTrusting = false
    }
  }

  /** A name that nobody knows is answered, too: whoever connects says so at once, or knows a proxy that does. */
  async #answered(hostname: string): Promise<void> {
    try {
      await this.#names.find(hostname)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTFOUND')) throw error
    }
  }
}

/** One for all engines of the process. */
export const engineHosts = new EngineHosts()
