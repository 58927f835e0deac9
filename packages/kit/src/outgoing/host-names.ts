import { lookup } from 'node:dns/promises'
import { type Clock, systemClock } from '../clock/clock.js'
import { RecentMap } from '../recent-map/recent-map.js'
import { NoTurnError, WaitingLine } from '../waiting-line/waiting-line.js'
import type { FoundAddress, Resolve } from './guarded-lookup.js'
import { fromHostsFile } from './hosts-file.js'
import { askNameServers, lookupFailure } from './name-servers.js'

export interface HostNamesOptions {
  /** Name servers, such as `127.0.0.1:5353`, instead of the system's. */
  servers?: readonly string[]
  /** Instead of the system's own lookup. */
  systemLookup?: Resolve
  /** Instead of `TURN_MS`. */
  turnMs?: number
  clock?: Pick<Clock, 'monotonic' | 'after'>
}

/** Longest that the system's lookup may wait for its turn, and may take, in ms: with what name servers may take, less than a try. */
const TURN_MS = 2_000
const SYSTEM_MS = 3_000
/** Names that may wait for the system's lookup. */
const WAITING_MOST = 100
/** So long a failed lookup is remembered, in ms, and of so many names. */
const FAILED_MS = 30_000
const FAILED_MOST = 1_000
/** So long one is remembered that held a thread for longer than the system's lookup may take, in ms. */
const HELD_MS = 10 * 60_000
/** Of the process's few threads, so many may be held by lookups that nobody waits for any more, while the next one is looked up. */
const HELD_MOST = 1

/**
 * Looks up names that anybody may have chosen, whose name servers may stay silent. The system's lookup holds one of the few threads that the
 * whole process has for it, for as long as those stay silent. So the hosts file is read, and name servers are asked without a thread. Only
 * what they do not know (search domains, `.local`) is left to the system, one name at a time. One that takes too long lets the next one go on,
 * beside it, and is not asked for again for ten minutes.
 */
export class HostNames {
  readonly #options: Required<Omit<HostNamesOptions, 'servers' | 'turnMs'>> &
    Pick<HostNamesOptions, 'servers'>
  readonly #underWay = new Map<string, Promise<FoundAddress[]>>()
  readonly #failed = new RecentMap<string, { error: unknown; until: number }>(FAILED_MOST)
  readonly #systemLine: WaitingLine
  #held = 0

  constructor({ turnMs = TURN_MS, ...options }: HostNamesOptions = {}) {
    this.#options = {
      systemLookup: (hostname) => lookup(hostname, { all: true }),
      clock: systemClock,
      ...options,
    }
    this.#systemLine = new WaitingLine({ atOnce: 1, waiting: WAITING_MOST, longestMs: turnMs })
  }

  /** Those who ask for a name at the same time share one lookup. It rejects after nine seconds at most. */
  readonly find: Resolve = async (hostname) => {
    const failed = this.#failed.get(hostname)
    if (failed && this.#options.clock.monotonic() < failed.until) throw failed.error
    const underWay = this.#underWay.get(hostname)
    if (underWay) return await underWay
    const found = this.#look(hostname).finally(() => this.#underWay.delete(hostname))
    this.#underWay.set(hostname, found)
    return await found
  }

  async #look(hostname: string): Promise<FoundAddress[]> {
    try {
      const listed = await fromHostsFile(hostname)
      if (listed.length > 0) return listed
      const answered = await askNameServers(hostname, this.#options)
      return answered.length > 0 ? answered : await this.#askSystem(hostname)
    } catch (error) {
      // Others held the line: that says nothing of this name.
      if (error instanceof NoTurnError) throw lookupFailure('EAI_AGAIN', hostname, error)
      const now = this.#options.clock.monotonic()
      const { until = 0 } = this.#failed.get(hostname) ?? {}
      this.#failed.set(hostname, { error, until: Math.max(until, now + FAILED_MS) })
      throw error
    }
  }

  /** The line stays taken until the system's lookup has ended, or takes too long: then for so many of them at most the next one goes on. */
  async #askSystem(hostname: string): Promise<FoundAddress[]> {
    const { systemLookup, clock } = this.#options
    const leave = await this.#systemLine.enter()
    let isHeld = false
    return await new Promise((resolve, reject) => {
      const ended = clock.after(SYSTEM_MS, () => {
        const error = lookupFailure('ETIMEOUT', hostname)
        this.#failed.set(hostname, { error, until: clock.monotonic() + HELD_MS })
        reject(error)
        isHeld = this.#held < HELD_MOST
        if (!isHeld) return
        this.#held += 1
        leave()
      })
      const over = () => {
        ended()
        if (isHeld) this.#held -= 1
        leave()
      }
      systemLookup(hostname).finally(over).then(resolve, reject)
    })
  }
}
