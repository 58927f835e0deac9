import type { Db } from '@heyline/database'
import { BusyShare } from '@heyline/kit/busy-share'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { type Leave, WaitingLine, WaitingLines } from '@heyline/kit/waiting-line'

/** How many reads of all operators run at once. PGlite has one session; a pool of connections to Postgres has ten. */
const AT_ONCE: Record<Db['kind'], number> = { pglite: 1, postgres: 3 }
/** Reads of an operator from one address that wait: more than the windows of a console ask for together. */
const WAITING_OF_ADDRESS = 40
/** Addresses of one operator, and operators. */
const WAITING = { addresses: 10, operators: 200 }
/** Longest that a read waits for others from its address, then for those of its operator, then for other operators, in ms each. */
const LONGEST_MS = 5_000

const LONGEST_REST_MS = 1_500
/** An operator's part of the database's time. A screen of the console is opened long before a burst is over. */
const OWN_SHARE: Record<Db['kind'], number> = { pglite: 1 / 4, postgres: 1 }
/** Of all operators together, where one session does everything. */
const SHARE_OF_ALL = 1 / 2
const BURST_MS = 2_000

/** Who reads, and from where. */
export interface Reader {
  operator: string
  address: string
  /** Aborted when nobody waits for the answer any more. */
  left: AbortSignal
}

/**
 * The operators' share of the database. Their reads wait for each other here and not in the database's own queue, so that pages and calls
 * never wait behind more of them than run at once. Operators take turns, and so do the addresses of each. Who keeps the database busy for
 * long has to rest.
 */
export class ReadTurns {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>
  // Each address has at most one in its operator's line, and each operator one in the line of all: first come, first served is in turn.
  readonly #addresses = new WaitingLines({ atOnce: 1, waiting: WAITING_OF_ADDRESS, longestMs: LONGEST_MS })
  readonly #operators = new WaitingLines({ atOnce: 1, waiting: WAITING.addresses, longestMs: LONGEST_MS })
  readonly #all: WaitingLine
  readonly #own: BusyShare
  readonly #ofAll: BusyShare | undefined

  constructor(kind: Db['kind'], clock: Pick<Clock, 'monotonic' | 'after'> = systemClock) {
    this.#clock = clock
    this.#all = new WaitingLine({
      atOnce: AT_ONCE[kind],
      waiting: WAITING.operators,
      longestMs: LONGEST_MS,
    })
    const rests = { burstMs: BURST_MS, longestRestMs: LONGEST_REST_MS }
    this.#own = new BusyShare({ ...rests, share: OWN_SHARE[kind] }, clock)
    this.#ofAll = kind === 'pglite' ? new BusyShare({ ...rests, share: SHARE_OF_ALL }, clock) : undefined
  }

  /** Reads when the turn has come. Rejects with a `NoTurnError` where none came, and with the reason of `left` if that is first. */
  async run<Answer>(reader: Reader, read: () => Promise<Answer>): Promise<Answer> {
    const leave = await this.#enter(reader)
    const began = this.#clock.monotonic()
    try {
      return await read()
    } finally {
      const busyMs = this.#clock.monotonic() - began
      this.#own.count(reader.operator, busyMs)
      this.#ofAll?.count(ALL, busyMs)
      const restMs = this.#ofAll?.restMs(ALL) ?? 0
      if (restMs > 0) this.#clock.after(restMs, leave)
      else leave()
    }
  }

  async #enter({ operator, address, left }: Reader): Promise<Leave> {
    const inOperatorsTurn = async () => {
      await this.#own.rest(operator, left)
      return await this.#all.enter(left)
    }
    const inAddressTurn = () => this.#operators.run(operator, inOperatorsTurn, left)
    return await this.#addresses.run(`${operator} ${address}`, inAddressTurn, left)
  }
}

const ALL = 'all'
