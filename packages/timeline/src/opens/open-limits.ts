import type { Clock } from '@heyline/kit/clock'
import { type OpenLimit, OpensInTime } from './opens-in-time.js'

/** Who sends the news of an open. */
export interface Opener {
  /** An IPv4 address or the /64 of an IPv6 one, or what stands for a client behind a proxy. */
  address: string
  /** The /24 or /48, or the proxy. */
  network: string
}

const MINUTE_MS = 60_000

/** How many opens count, in each process. What is beyond is dropped. */
export const OPEN_LIMITS = {
  address: { most: 300, windowMs: 10 * MINUTE_MS },
  network: { most: 3_000, windowMs: 10 * MINUTE_MS },
  addressAndSlug: { most: 30, windowMs: 10 * MINUTE_MS },
  /** A tenth of what the slug has, so that no network uses that up. */
  networkAndSlug: { most: 100, windowMs: 60 * MINUTE_MS },
  slug: { most: 1_000, windowMs: 60 * MINUTE_MS },
  all: { most: 3_000, windowMs: MINUTE_MS },
  /** Also of slugs that nobody has. */
  lookups: { most: 30_000, windowMs: MINUTE_MS },
} as const satisfies Record<string, OpenLimit>

/** Which opens are too many. */
export class OpenLimits {
  readonly #counts: Readonly<Record<keyof typeof OPEN_LIMITS, OpensInTime>>

  constructor(clock: Pick<Clock, 'monotonic'>) {
    const counted = (kind: keyof typeof OPEN_LIMITS) => new OpensInTime(OPEN_LIMITS[kind], clock)
    this.#counts = {
      address: counted('address'),
      network: counted('network'),
      addressAndSlug: counted('addressAndSlug'),
      networkAndSlug: counted('networkAndSlug'),
      slug: counted('slug'),
      all: counted('all'),
      lookups: counted('lookups'),
    }
  }

  /** Before anything is looked up. Who is beyond a limit of his own uses nothing of those of all. */
  admits({ address, network }: Opener): boolean {
    const { address: own, network: near, lookups } = this.#counts
    return own.count(address) && near.count(network) && lookups.count('')
  }

  /** Of a visitor that is there, by the slug as stored. What is beyond a limit of the slug uses nothing of that of all. */
  admitsFor({ address, network }: Opener, slug: string): boolean {
    const { addressAndSlug, networkAndSlug, slug: ofSlug, all } = this.#counts
    return (
      addressAndSlug.count(`${address} ${slug}`) &&
      networkAndSlug.count(`${network} ${slug}`) &&
      ofSlug.count(slug) &&
      all.count('')
    )
  }
}
