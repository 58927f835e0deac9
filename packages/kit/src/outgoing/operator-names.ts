import { lookup } from 'node:dns/promises'
import { type Clock, systemClock } from '../clock/clock.js'
import { WaitingLine } from '../waiting-line/waiting-line.js'
import type { FoundAddress, Resolve } from './guarded-lookup.js'
import { fromHostsFile } from './hosts-file.js'
import { askNameServers, lookupFailure } from './name-servers.js'

export interface OperatorNamesOptions {
  /** Name servers, such as `127.0.0.1:5353`, instead of the system's. */
  servers?: readonly string[]
  /** Instead of the system's own lookup. */
  systemLookup?: Resolve
  clock?: Pick<Clock, 'after'>
}

/** After so much silence of the name servers the system is asked beside them, in ms. */
const SILENT_MS = 200
/** Longest wait for the system's lookup and its turn, in ms: no more than name servers may take. */
const SYSTEM_MS = 3_500

/**
 * Looks up names that the operator chose, such as those in settings. No failure is remembered: a name is found as soon as somebody answers.
 * The hosts file is read, and name servers are asked without a thread. The system, which also knows search domains and `.local`, is asked
 * where they do not know or stay silent. Its lookup holds one of the few threads that the whole process has for it: one name has one at a time.
 */
export class OperatorNames {
  readonly #options: Required<Omit<OperatorNamesOptions, 'servers'>> & Pick<OperatorNamesOptions, 'servers'>
  readonly #systemLine = new WaitingLine({ atOnce: 1, longestMs: SYSTEM_MS })
  readonly #underWay = new Map<string, Promise<FoundAddress[]>>()

  constructor(options: OperatorNamesOptions = {}) {
    this.#options = {
      systemLookup: (hostname) => lookup(hostname, { all: true }),
      clock: systemClock,
      ...options,
    }
  }

  /** Rejects after four seconds at most: with `ENOTFOUND` where nobody knows the name, else where nobody answers. */
  readonly find: Resolve = async (hostname) => {
    const listed = await fromHostsFile(hostname)
    if (listed.length > 0) return listed
    const known = this.#askServers(hostname)
    try {
      return await this.#within(SILENT_MS, hostname, known)
    } catch {
      return await Promise.any([known, this.#askSystem(hostname)]).catch(({ errors: [, ofSystem] }) => {
        throw ofSystem
      })
    }
  }

  async #askServers(hostname: string): Promise<FoundAddress[]> {
    const found = await askNameServers(hostname, this.#options)
    if (found.length === 0) throw lookupFailure('ENOTFOUND', hostname)
    return found
  }

  /** Those who ask for a name at the same time share one lookup. The line stays taken until it has ended, also when nobody waits any more. */
  #askSystem(hostname: string): Promise<FoundAddress[]> {
    const asked =
      this.#underWay.get(hostname) ??
      this.#systemLine
        .run(() => this.#options.systemLookup(hostname))
        .finally(() => this.#underWay.delete(hostname))
    this.#underWay.set(hostname, asked)
    return this.#within(SYSTEM_MS, hostname, asked)
  }

  #within<Found>(ms: number, hostname: string, work: Promise<Found>): Promise<Found> {
    return new Promise((resolve, reject) => {
      const ended = this.#options.clock.after(ms, () => reject(lookupFailure('ETIMEOUT', hostname)))
      work.finally(ended).then(resolve, reject)
    })
  }
}
