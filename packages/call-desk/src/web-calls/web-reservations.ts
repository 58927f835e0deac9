import type { Db, Queryable } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { isStorable } from '@heyline/kit/storable'
import { NoTurnError } from '@heyline/kit/waiting-line'
import type { Logger } from 'pino'
import { type ClientAddress, clientAt } from '../call/client-address.js'
import { ClientLine } from '../call/client-line.js'
import { ClientPlaces, REQUESTS_IN_LINE } from '../call/client-places.js'
import { RefusedClients } from '../call/refused-clients.js'
import type { VisitorLookup } from '../call/visitor-lookup.js'
import type { Refusal } from '../gate/refusal.js'
import { type CheckResult, isCheckFailed, LOCK_STATEMENT } from '../queue/reserve.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import { errorCode } from '../run/error-code.js'
import { payFirstTurn } from './chat-turns.js'
import { WebCallLog } from './web-call-log.js'
import { readWebFacts, STORED_REFUSALS, type WebAsked, webFactsStatement } from './web-facts.js'
import type { WebGateSettings } from './web-gate-settings.js'
import { isWebFlood, judgeWebCall } from './web-judge.js'
import {
  type BegunWebCall,
  beginWebCall,
  closeWebCall,
  insertWebCall,
  type StoredWebCall,
} from './web-rows.js'

/** A browser call that may begin, or why not. A caller of ours must say what became of it: `started` or `failed`. */
export type WebCallReservation =
  | {
      result: 'reserved'
      /** Of the row in the records. */
      id: string
      /** Longest that the call may last. */
      maxSeconds: number
      /**
       * The platform has made the call. Rejects where that could not be stored: then nobody may be told of the call. `turnSeconds`: it is a
       * chat, which pays for each turn as for so many seconds of a call, and has paid for the first one now.
       */
      started(platformCallId: string, turnSeconds?: number): Promise<void>
      /** Certainly no call was made: the reserved money goes back. Never rejects. */
      failed(): Promise<void>
    }
  | {
      result: 'refused'
      code: 'call_refused' | 'unavailable'
      status: 403 | 429 | 503
      retryAfterSeconds?: number
    }

/** A reservation as our own server uses it. */
export type OpenReservation =
  | {
      result: 'reserved'
      id: string
      maxSeconds: number
      started(call: BegunWebCall): Promise<'begun' | 'ending'>
      closed(state: 'failed' | 'unknown', reason: string): Promise<void>
    }
  | Extract<WebCallReservation, { result: 'refused' }>

export interface WebReservationsOptions {
  db: Db
  settings: WebGateSettings
  visitors: Pick<VisitorLookup, 'find'>
  addressOf?: (request: Request) => string | undefined
  /** See `CallDeskOptions`. */
  places?: () => Promise<number>
  newsMs: number
  measures?: DeskMeasures | undefined
  logger: Logger
}

/** One browser call at a time waits for the gate's lock, so that a flood of them leaves turns and connections to the phone calls. */
export const RESERVATIONS = { atOnce: 1, waiting: 100, longestMs: 3000 }

/** When a refused page may ask again, in seconds. */
const RETRY_AFTER_LIMIT = 60
const RETRY_AFTER_CROWD = 5

/** Refusals that say nothing of how often somebody tried. */
const FINAL: ReadonlySet<Refusal> = new Set(['paused', 'human_check_failed', 'budget_exhausted'])

/** Stands for visitors that are not known. */
const NOBODYS_SLUG = ''
/** Longest slug that a page may claim, in characters. */
const LONGEST_SLUG = 200

/** The gate for browser calls. It knows only the settings and the database, so that many processes act as one. */
export class WebReservations {
  readonly #options: WebReservationsOptions
  readonly #statement: string
  readonly #line = new ClientLine(RESERVATIONS)
  readonly #places = new ClientPlaces(REQUESTS_IN_LINE)
  readonly #refused = new RefusedClients(systemClock, STORED_REFUSALS)
  readonly #log: WebCallLog

  constructor(options: WebReservationsOptions) {
    this.#options = options
    this.#statement = webFactsStatement(options.settings)
    this.#log = new WebCallLog(options.logger, options.measures)
  }

  /**
   * For a call that the public key starts. `slug` is what the page says: the call has the slug of that visitor as it is stored, or none where
   * there is no such visitor, or nobody could look. Never rejects for a refusal.
   */
  async reserve(request: Request, slug: string | undefined): Promise<WebCallReservation> {
    const client = this.#clientOf(request)
    const storedSlug = () => this.#storedSlug(slug, client)
    const open = await this.#open(client, storedSlug, { result: 'not_asked' })
    if (open.result === 'refused') return open
    return {
      result: 'reserved',
      id: open.id,
      maxSeconds: open.maxSeconds,
      started: async (callId, turnSeconds) => {
        await open.started({ callId })
        const { db, settings } = this.#options
        if (turnSeconds !== undefined) await payFirstTurn(db, open.id, turnSeconds, settings)
      },
      failed: () => open.closed('failed', 'platform_refused: the platform made no call'),
    }
  }

  /** How a request is refused whose address is refused again and again: without a look at the database. Undefined for any other. */
  refusedLately(request: Request): Extract<WebCallReservation, { result: 'refused' }> | undefined {
    return this.#refused.has(this.#clientOf(request)) ? this.#atOnce() : undefined
  }

  /** `slug` as stored. */
  open(request: Request, slug: string, check: CheckResult): Promise<OpenReservation> {
    return this.#open(this.#clientOf(request), async () => slug, check)
  }

  /** For a call of ours, which no client asks for. */
  openFor(slug: string): Promise<OpenReservation> {
    return this.#open(undefined, async () => slug, { result: 'not_asked' })
  }

  /** `findSlug` is asked within the places of the client, and before the call waits for its turn. Never rejects. */
  async #open(
    client: ClientAddress | undefined,
    findSlug: () => Promise<string>,
    check: CheckResult,
  ): Promise<OpenReservation> {
    const leave = this.#places.take(client)
    if (!leave) return this.#atOnce()
    try {
      if (this.#refused.has(client)) return this.#atOnce()
      const slug = await findSlug()
      const stored = await this.#line.run(client, () => this.#store({ slug, client }, check))
      this.#log.write(stored)
      if (stored.refusal === 'limit_address') this.#refused.add(client, 'address')
      else this.#refused.remove(client)
      if (stored.refusal !== undefined || stored.id === undefined)
        return refused(stored.refusal ?? 'limit_address')
      return this.#reserved(stored.id)
    } catch (error) {
      if (error instanceof NoTurnError) this.#log.crowd(error.code)
      else this.#log.fault(error)
      return { result: 'refused', code: 'unavailable', status: 503, retryAfterSeconds: RETRY_AFTER_CROWD }
    } finally {
      leave()
    }
  }

  #atOnce(): Extract<WebCallReservation, { result: 'refused' }> {
    this.#log.refused('limit_address')
    return refused('limit_address')
  }

  /** What a stranger makes up reaches no record, and so nobody who is told of calls. */
  async #storedSlug(claimed: string | undefined, client: ClientAddress | undefined): Promise<string> {
    if (claimed === undefined || claimed.length > LONGEST_SLUG || !isStorable(claimed)) return NOBODYS_SLUG
    try {
      return (await this.#options.visitors.find(claimed, client))?.slug ?? NOBODYS_SLUG
    } catch (error) {
      this.#log.lookUpFault(error)
      return NOBODYS_SLUG
    }
  }

  #clientOf(request: Request): ClientAddress | undefined {
    const { addressOf } = this.#options
    return addressOf && clientAt(addressOf(request))
  }

  async #store(asked: WebAsked, check: CheckResult): Promise<StoredWebCall> {
    const { db, settings } = this.#options
    // Before the transaction, which holds the gate's lock.
    const places = await this.#options.places?.()
    return await db.transaction(async (tx: Queryable) => {
      await tx.query(LOCK_STATEMENT)
      const checkFailed = await isCheckFailed(tx, check)
      const facts = await readWebFacts(tx, this.#statement, asked)
      const refusal = judgeWebCall({ ...facts, places }, checkFailed, settings)
      return await insertWebCall(tx, { ...asked, refusal, flood: isWebFlood(facts) }, settings)
    })
  }

  #reserved(id: string): OpenReservation {
    const { db, settings, newsMs, logger } = this.#options
    return {
      result: 'reserved',
      id,
      maxSeconds: settings.maxSeconds,
      async started(call) {
        const state = await beginWebCall(db, id, call, newsMs)
        logger.info({ requestId: id, callId: call.callId }, 'browser call begun')
        return state
      },
      async closed(state, reason) {
        try {
          await closeWebCall(db, id, state, reason)
          logger.warn({ requestId: id, state }, 'browser call')
        } catch (error) {
          // The sweep closes it later.
          logger.warn({ requestId: id, reason: errorCode(error) }, 'a browser call could not be closed')
        }
      },
    }
  }
}

function refused(refusal: Refusal): Extract<WebCallReservation, { result: 'refused' }> {
  if (FINAL.has(refusal)) return { result: 'refused', code: 'call_refused', status: 403 }
  return { result: 'refused', code: 'call_refused', status: 429, retryAfterSeconds: RETRY_AFTER_LIMIT }
}
