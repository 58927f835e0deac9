import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError, type Db, type Queryable } from '@heyline/database'
import { FairLine, type Place } from '@heyline/kit/fair-line'
import { NoTurnError } from '@heyline/kit/waiting-line'
import { RestError } from '../../errors/rest-error.js'
import { isOutOfTime } from '../sql/in-time.js'

/** Longest that a statement of an anonymous request may run, in ms, where nothing else is said. */
export const ANONYMOUS_PATIENCE_MS = 250
/**
 * PGlite cannot cancel a statement, only be opened again, for which everybody waits. There statements end themselves. What does not,
 * as a sort or a function of the operator's, has so many times as long, which is still less than opening takes.
 */
const UNTIL_REOPENED = 4

/** How many run at once: three of ten connections, and one of PGlite's one session. */
const atOnceOf = (db: Pick<Db, 'pool'>): number => Math.max(1, Math.floor((db.pool?.().most ?? 0) * 0.3))
/** Of one address, of one network, and networks. */
const WAITING = { ofAddress: 50, ofNetwork: 50, networks: 50 }
const LONGEST_WAIT_MS = 2_000

/**
 * Where one session does everything, the line rests after a request that kept it busy, for so many times as long. So anonymous
 * requests have about a quarter of the session, however slow they are.
 */
const REST = 3
/** Shorter than the longest wait, so that whoever is next still gets a turn where the whole machine is slow. */
const LONGEST_REST_MS = 1_500
/** This part of the patience is quick: it costs nobody a wait that counts. */
const QUICK = 1 / 25
/**
 * After PGlite was opened again, which takes some seconds: a second such statement right away would close the database to everybody.
 * Tables do not get there (`inTime`), only functions that an operator adds.
 */
const REOPENED_REST_MS = 15_000

/**
 * The anonymous requests' share of the database. They wait for each other here and not in the database's own queue, so that the
 * page's lookups, the calls and the command never wait behind more of them than run at once. Networks take turns.
 */
export class AnonymousLine {
  /** After so many ms a statement has to end itself; infinite where the database ends it. */
  readonly withinMs: number
  readonly #db: Pick<Db, 'kind' | 'transaction' | 'pool'>
  readonly #patienceMs: number
  readonly #cancelledAfterMs: number
  readonly #line: FairLine

  constructor(db: Pick<Db, 'kind' | 'transaction' | 'pool'>, patienceMs = ANONYMOUS_PATIENCE_MS) {
    this.#db = db
    this.#patienceMs = patienceMs
    const endsItself = db.kind === 'pglite'
    this.withinMs = endsItself ? patienceMs : Number.POSITIVE_INFINITY
    this.#cancelledAfterMs = endsItself ? UNTIL_REOPENED * patienceMs : patienceMs
    this.#line = new FairLine({ atOnce: atOnceOf(db), waiting: WAITING, longestMs: LONGEST_WAIT_MS })
  }

  /** One transaction, when the turn of whoever is there comes. Rejects with a `RestError` where none comes, or where it took too long. */
  async transaction<T>(place: Place, run: (tx: Queryable) => Promise<T>): Promise<T> {
    const leave = await this.#line.enter(place).catch((cause: unknown) => {
      throw cause instanceof NoTurnError ? new RestError('PGRST003', { cause, headers: RETRY }) : cause
    })
    let began = performance.now()
    let isReopened = false
    try {
      return await this.#db.transaction(
        (tx) => {
          began = performance.now()
          return run(tx)
        },
        { patienceMs: this.#cancelledAfterMs },
      )
    } catch (error) {
      isReopened = isCancelled(error)
      throw this.#told(error)
    } finally {
      void this.#rest(performance.now() - began, isReopened).then(leave)
    }
  }

  async #rest(busyMs: number, isReopened: boolean): Promise<void> {
    if (this.#db.kind !== 'pglite' || (busyMs <= QUICK * this.#patienceMs && !isReopened)) return
    const restMs = isReopened ? REOPENED_REST_MS : Math.min(REST * busyMs, LONGEST_REST_MS)
    await delay(restMs, undefined, { ref: false })
  }

  /** Too slow is the request's own fault here, and no error of the server. */
  #told(error: unknown): unknown {
    if (!isCancelled(error) && !hasEnded(error)) return error
    return new RestError('57014', {
      cause: error,
      details: `Without the secret key a request may take ${this.#patienceMs} ms`,
    })
  }
}

const isCancelled = (error: unknown): boolean => error instanceof DatabaseError && error.code === '57014'
const hasEnded = (error: unknown): boolean => error instanceof DatabaseError && isOutOfTime(error)

const RETRY = { 'retry-after': '1' }
