import type { Db } from '@heyline/database'
import { BusyShare } from '@heyline/kit/busy-share'
import type { Clock } from '@heyline/kit/clock'
import { FairLine } from '@heyline/kit/fair-line'
import { WaitingLines } from '@heyline/kit/waiting-line'
import { refuseCrowd } from '../guards/turns.js'
import type { Place } from '../wire/networks.js'
import type { AuthRequest, AuthRoutes } from '../wire/request.js'

/** How many of all are let through at once. PGlite has one session; a pool of connections to Postgres has ten. */
const AT_ONCE: Record<Db['kind'], number> = { pglite: 1, postgres: 3 }
/** Reads of their own accounts: each is as short as one of a page's, which come in as many. */
const READS_AT_ONCE: Record<Db['kind'], number> = { pglite: 2, postgres: 6 }
/** Of one session: more than the tabs of a browser ask for together. */
const WAITING_OF_SESSION = 100
/** Sessions of an account in one network, and networks of an account. */
const WAITING_OF_ACCOUNT = { sessions: 100, networks: 100 }
/** Of refreshes: sessions behind one address, more than an office has; addresses of a network; networks, and accounts that change something. */
const WAITING = { ofAddress: 200, ofNetwork: 100, networks: 200 }
/** Of reads, which stand in a session's place and its account's: those of one session, sessions of one account, accounts. */
const WAITING_READS = { ofAddress: 200, ofNetwork: 100, networks: 200 }
/** Longest that one waits in each line, in ms. */
const LONGEST_MS = 5_000

/** Who keeps the database busy for long rests, on PGlite three times as long as the work took. */
const RESTS = { burstMs: 2_000, longestRestMs: 1_500 }
const SHARE: Record<Db['kind'], number> = { pglite: 1 / 4, postgres: 1 }

/** Whose a token of ours is. Both refuse what is none with an `AuthError`. */
interface Holders {
  claimsOf(request: Request): Promise<{ sub: string; session_id: string; aal?: unknown }>
  /** The id of the session of a refresh token. */
  refreshes(token: string): string
}

export interface SessionTurnsOptions {
  kind: Db['kind']
  holders: Holders
  clock: Pick<Clock, 'monotonic' | 'after'>
}

/**
 * What the database does for those who are signed in: for each session one thing after the other, and for all of them few at once, so that a flood
 * leaves the rest to pages and calls. Accounts take turns, and so do the networks of each, and the sessions in each of those. Without its
 * second factor an account stands in a line of its own: whoever has a password alone keeps no owner waiting. Who keeps the database busy
 * for long has to rest.
 */
export class SessionTurns {
  readonly #holders: Holders
  readonly #clock: SessionTurnsOptions['clock']
  readonly #sessions = new WaitingLines(oneOf(WAITING_OF_SESSION))
  readonly #networks = new WaitingLines(oneOf(WAITING_OF_ACCOUNT.sessions))
  readonly #accounts = new WaitingLines(oneOf(WAITING_OF_ACCOUNT.networks))
  readonly #all: FairLine
  readonly #reads: FairLine
  readonly #busy: BusyShare

  constructor({ kind, holders, clock }: SessionTurnsOptions) {
    this.#holders = holders
    this.#clock = clock
    this.#all = new FairLine({ atOnce: AT_ONCE[kind], waiting: WAITING, longestMs: LONGEST_MS })
    this.#reads = new FairLine({ atOnce: READS_AT_ONCE[kind], waiting: WAITING_READS, longestMs: LONGEST_MS })
    this.#busy = new BusyShare({ ...RESTS, share: SHARE[kind] }, clock)
  }

  /**
   * Works when the turn of whose access token it is has come. A token that does not hold takes nobody's place. Rejects with an `AuthError`: as
   * `claimsOf` does, and 429 where no turn came.
   */
  async run<Result>(
    { request, place }: Pick<AuthRequest, 'request' | 'place'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { sub, session_id, aal } = await this.#holders.claimsOf(request)
    const account = lineOf(sub, aal)
    const inTurnOfAll = () => this.#rested(account, { address: account, network: account }, work)
    const inTurnOfAccount = () => this.#accounts.run(account, inTurnOfAll)
    const inTurnOfNetwork = () => this.#networks.run(`${account} ${place.network}`, inTurnOfAccount)
    return await this.#sessions.run(session_id, inTurnOfNetwork).catch(refuse)
  }

  /** Reads the account of an access token when its turn has come: accounts take turns, and so do the sessions of each. Rejects as `run` does. */
  async read<Result>(
    { request }: Pick<AuthRequest, 'request'>,
    read: () => Promise<Result>,
  ): Promise<Result> {
    const { sub, session_id, aal } = await this.#holders.claimsOf(request)
    const leave = await this.#reads.enter({ address: session_id, network: lineOf(sub, aal) }).catch(refuse)
    try {
      return await read()
    } finally {
      leave()
    }
  }

  /**
   * Works when the turn of a refresh token has come, which does not tell its account: networks take turns, and so do the addresses of each.
   * Rejects with an `AuthError`: as `refreshes` does, and 429 where no turn came.
   */
  async refresh<Result>(token: string, place: Place, work: () => Promise<Result>): Promise<Result> {
    const session = `refresh ${this.#holders.refreshes(token)}`
    return await this.#sessions.run(session, () => this.#rested(session, place, work)).catch(refuse)
  }

  /** The same routes, each in one turn of whose access token it is. */
  routes(routes: AuthRoutes): AuthRoutes {
    return Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [name, (asked) => this.run(asked, () => route(asked))]),
    )
  }

  async #rested<Result>(
    who: string,
    place: Pick<Place, 'address' | 'network'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.#busy.rest(who)
    return await this.#all.run(place, async () => {
      const began = this.#clock.monotonic()
      try {
        return await work()
      } finally {
        this.#busy.count(who, this.#clock.monotonic() - began)
      }
    })
  }
}

/** The name of an account's line. Without its second factor the account has another one. */
const lineOf = (sub: string, aal: unknown): string => `account ${sub} ${aal}`

const oneOf = (waiting: number) => ({ atOnce: 1, waiting, longestMs: LONGEST_MS })

const refuse = (error: unknown): never =>
  refuseCrowd(error, 'Too many requests at the same time. Try again in a moment.')
