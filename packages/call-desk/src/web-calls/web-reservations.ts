import { type Db, type ErasureMark, erasedSince, lastErasure, type Queryable } from '@heyline/database'
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
  isWebCallStored,
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
      /** False where the visitor was erased since: then no call may be made. Rejects where nobody can say. */
      isStored(): Promise<boolean>
      started(call: BegunWebCall): Promise<'begun' | 'ending'>
      closed(state: 'failed' | 'unknown', reason: string): Promise<void>
    }
  | Extract<WebCallReservation, { result: 'refused' }>

/** A reservation for a visitor who may have been erased meanwhile: then nothing was stored. */
type VisitorsReservation = OpenReservation | { result: 'erased' }

/** A visitor who was looked up. */
interface Found {
  /** As stored. */
  slug: string
  /** Read before the visitor was looked up; none where the slug is no visitor's. */
  erasures?: ErasureMark
}

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
const NOBODY: Found = { slug: '' }
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
    const open = await this.#openForAnybody(client, () => this.#find(slug, client))
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

  open(request: Request, found: Found, check: CheckResult): Promise<VisitorsReservation> {
    return this.#open(this.#clientOf(request), async () => found, check)
  }

  /** For a call of ours, which no client asks for. `slug` is no visitor's. */
  openFor(slug: string): Promise<OpenReservation> {
    return this.#openForAnybody(undefined, async () => ({ slug }))
  }

  /** As for nobody, where the visitor was erased meanwhile. */
  async #openForAnybody(
    client: ClientAddress | undefined,
    find: () => Promise<Found>,
  ): Promise<OpenReservation> {
    const open = await this.#open(client, find, { result: 'not_asked' })
    return open.result === 'erased' ? await this.#openForAnybody(client, async () => NOBODY) : open
  }

  /** `find` is asked within the places of the client, and before the call waits for its turn. Never rejects. */
  async #open(
    client: ClientAddress | undefined,
    find: () => Promise<Found>,
    check: CheckResult,
  ): Promise<VisitorsReservation> {
    const leave = this.#places.take(client)
    if (!leave) return this.#atOnce()
    try {
      if (this.#refused.has(client)) return this.#atOnce()
      const found = await find()
      const stored = await this.#line.run(client, () => this.#store({ ...found, client }, check))
      if (stored === 'erased') return { result: 'erased' }
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
  async #find(claimed: string | undefined, client: ClientAddress | undefined): Promise<Found> {
    if (claimed === undefined || claimed.length > LONGEST_SLUG || !isStorable(claimed)) return NOBODY
    try {
      const erasures = await lastErasure(this.#options.db)
      const visitor = await this.#options.visitors.find(claimed, client)
      return visitor ? { slug: visitor.slug, erasures } : NOBODY
    } catch (error) {
      this.#log.lookUpFault(error)
      return NOBODY
    }
  }

  #clientOf(request: Request): ClientAddress | undefined {
    const { addressOf } = this.#options
    return addressOf && clientAt(addressOf(request))
  }

  async #store(
    { erasures, ...asked }: WebAsked & Found,
    check: CheckResult,
  ): Promise<StoredWebCall | 'erased'> {
    const { db, settings } = this.#options
    // Before the transaction, which holds the gate's lock.
    const places = await this.#options.places?.()
    return await db.transaction(async (tx: Queryable) => {
      await tx.query(LOCK_STATEMENT)
      if (erasures !== undefined && (await erasedSince(tx, erasures, asked))) return 'erased'
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
      isStored: () => isWebCallStored(db, id),
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
