import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { SipAgent } from './sip-agent.js'

/** How often a name is looked up again, in milliseconds. */
const AGAIN_MS = 60_000
/** Most addresses of a name. */
const MOST = 32

export interface TrunkAddressesOptions {
  /** A name or an IP address. */
  host: string
  agent: SipAgent
  clock: Clock
  logger: Logger
}

/** The IP addresses from which calls come in: those of the trunk. */
export class TrunkAddresses {
  readonly #options: TrunkAddressesOptions
  #addresses = new Map<string, () => void>()
  #stopTimer = () => {}
  #isOver = false

  constructor(options: TrunkAddressesOptions) {
    this.#options = options
  }

  admits(address: string): boolean {
    return this.#addresses.has(address)
  }

  /** Looks them up, and again from time to time. Addresses stay as they were where nobody tells. Never rejects. */
  async follow(): Promise<void> {
    const { host, agent, clock, logger } = this.#options
    try {
      const found = await lookup(host, { all: true, family: isIP(agent.host) === 6 ? 6 : 4 })
      if (!this.#isOver) this.#take(found.slice(0, MOST).map(({ address }) => address))
    } catch (error) {
      logger.warn({ err: error }, 'no address of the sip trunk found; it is looked up again')
    }
    if (!this.#isOver && !isIP(host)) this.#stopTimer = clock.after(AGAIN_MS, () => void this.follow())
  }

  /** Nobody comes in any more. */
  end(): void {
    this.#isOver = true
    this.#stopTimer()
    this.#take([])
  }

  #take(addresses: readonly string[]): void {
    const { agent } = this.#options
    const before = this.#addresses
    this.#addresses = new Map(addresses.map((address) => [address, agent.know(address)]))
    for (const forget of before.values()) forget()
  }
}
