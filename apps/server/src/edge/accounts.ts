import type { IncomingMessage } from 'node:http'
import { systemClock } from '@heyline/kit/clock'
import type { IsForeign } from '../http/foreign-pages.js'
import { AddressShares } from './address-shares.js'
import { BarredAddresses } from './barred-addresses.js'

/** How many connections one address may have, and how many requests and WebSockets under way. A busy office needs fewer. */
export const MOST_OF_ONE_ADDRESS = 100
/** Requests that foreign pages have under way from one address. A browser sends a few at a time. */
const MOST_FOREIGN = 50
/** And WebSockets. All that they may open tells them in a moment that there is nothing for them. */
const MOST_FOREIGN_SOCKETS = 10
/** WebSockets that one address may begin in a minute: each asks the database whether its secret is valid. */
const MOST_HANDSHAKES = 120
/**
 * With so many reads in ten seconds that it left before their answers began, an address is refused for a few seconds. Each costs as much as one
 * that is waited for; people leave a page or two.
 */
const MOST_LEFT = 50

/** What is counted of the requests of each address. */
export interface Account {
  /** WebSockets begun in this minute. */
  handshakes: AddressShares
  /** Requests under way. */
  requests: AddressShares
  /** Open WebSockets. */
  sockets: AddressShares
  leavers: BarredAddresses
}

/** The accounts of what is under way. What pages of other sites have a browser do is counted apart: they use up nothing of their readers'. */
export class Accounts {
  /** Of people and programs. */
  readonly own: Account
  readonly #foreign: Account
  readonly #isForeign: IsForeign

  constructor({
    isForeign,
    isExempt,
  }: {
    isForeign: IsForeign
    isExempt: (address: string) => boolean
  }) {
    const sharesOf = (most: number) => new AddressShares({ most, isExempt })
    const leavers = () => new BarredAddresses({ clock: systemClock, most: MOST_LEFT, isExempt })
    const underWay = sharesOf(MOST_OF_ONE_ADDRESS)
    const handshakes = () => sharesOf(MOST_HANDSHAKES)
    this.own = { handshakes: handshakes(), requests: underWay, sockets: underWay, leavers: leavers() }
    this.#foreign = {
      handshakes: handshakes(),
      requests: sharesOf(MOST_FOREIGN),
      sockets: sharesOf(MOST_FOREIGN_SOCKETS),
      leavers: leavers(),
    }
    this.#isForeign = isForeign
  }

  of(request: IncomingMessage): Account {
    return this.#isForeign(request) ? this.#foreign : this.own
  }

  /** A new minute of handshakes. */
  clearHandshakes(): void {
    this.own.handshakes.clear()
    this.#foreign.handshakes.clear()
  }
}
