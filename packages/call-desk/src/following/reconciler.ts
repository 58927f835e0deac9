import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import { NotFoundError, type PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import type { UnknownReasons } from '../call/outcome.js'
import { alertBreaker, checkBreaker } from '../gate/breaker.js'
import type { GateSettings } from '../gate/gate-settings.js'
import { applyNews, type CallNews, logNews } from '../news/call-news.js'
import { newsOfCall } from '../news/platform-news.js'
import { saidInRecord } from '../news/said-in-record.js'
import type { Said } from '../placing/stop-calling.js'
import { errorCode } from '../run/error-code.js'
import type { Timings } from '../run/timings.js'
import { type CallToCheck, claimChecks, closeNotPlaced, giveUpUnknown } from './checks.js'
import { findCalls } from './find-calls.js'
import { settleUnreported } from './settle-unreported.js'
import { NOT_PLACED_MS, type SentTogether, sentTogether } from './unknown-requests.js'

export interface ReconcilerOptions {
  db: Db
  platform: PlatformClient
  timings: Timings
  logger: Logger
  /** Says once which reasons of an end are not known. */
  reasons: UnknownReasons
  /** Is told what the person called said, as a record has it: the messages of an assistant with a server of its own do not come here. */
  onSaid?: (said: Said) => Promise<unknown>
  /** The circuit breaker is looked at by these settings, and costs are read by them. */
  gate?: GateSettings
}

/** A request whose call the platform knows. */
interface PlacedCall extends CallToCheck {
  callId: string
}

/** Looks between two for calls whose report is given up. */
const SETTLE_EVERY = 10

/** Requests asked about at a time. */
const BATCH = 10

/**
 * Asks the platform about calls that no message came for, so that a lost message leaves no call open and no record out: calls in
 * flight, calls that ended without a record, and requests that may or may not have been placed. Also looks at the circuit breaker, and
 * settles calls whose report is given up.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #loop: Loop
  readonly #closing = new AbortController()
  /** When calls are looked for next whose report is given up. */
  #settleAt = 0

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#loop = new Loop({
      everyMs: options.timings.reconcileMs,
      run: () => this.#run(),
      onError: (error) =>
        options.logger.error({ reason: errorCode(error) }, 'calls without news could not be read'),
    })
  }

  start(): void {
    this.#loop.start()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#loop.close()
  }

  async #run(): Promise<void> {
    const { db, timings } = this.#options
    await this.#checkBreaker()
    await this.#settleUnreported()
    const calls = await claimChecks(db, BATCH, timings.newsMs)
    const placed = calls.flatMap((call) => (call.callId === null ? [] : [{ ...call, callId: call.callId }]))
    const unknown = calls.filter(({ callId }) => callId === null)
    await Promise.all([
      ...placed.map((call) => this.#check(call)),
      ...sentTogether(unknown).map((group) => this.#find(group)),
    ])
    if (calls.length === BATCH) this.#loop.wake()
  }

  async #check(call: PlacedCall): Promise<void> {
    const news = await this.#ask(call)
    if (news) await this.#apply({ ...news, callId: call.callId })
  }

  /** Before the record is stored: it is read again where this fails. */
  async #hear(news: CallNews): Promise<void> {
    const { callId, requestId } = news
    for (const text of saidInRecord(news)) await this.#options.onSaid?.({ callId, requestId, text })
  }

  async #apply(news: CallNews): Promise<void> {
    const { db, timings, gate, logger, reasons } = this.#options
    reasons.note(news.endedReason)
    if (news.record) await this.#hear(news)
    const result = await applyNews(db, news, timings.newsMs, gate)
    if (result) logNews(logger, result)
  }

  /** What the platform says of the call; undefined when it says nothing now. A call that it no longer knows is over, and so is one that it never ends. */
  async #ask({ id, callId, isOver, ageMs }: PlacedCall): Promise<CallNews | undefined> {
    const { platform, timings } = this.#options
    const now = new Date()
    const closed = (endedReason: string): CallNews => ({
      callId,
      isGivenUp: true,
      ...(isOver ? {} : { state: 'ended', endedAt: now, endedReason }),
    })
    let news: CallNews | undefined
    try {
      news = newsOfCall(await platform.calls.get(callId, { signal: this.#closing.signal }), now, isOver)
    } catch (error) {
      if (error instanceof NotFoundError) return closed('not-found')
      this.#noteFailure(error, id)
    }
    const isEnough = isOver ? news?.record !== undefined : news?.state === 'ended'
    return !isEnough && ageMs > timings.lostMs ? closed('lost') : news
  }

  /** Looks whether the platform has calls of these requests. What it has not after a while was not placed. */
  async #find({ requests, from, to }: SentTogether): Promise<void> {
    const { db, logger } = this.#options
    const names = new Set(requests.map(({ id }) => id))
    try {
      const { found, isComplete } = await this.#search(names, from, to)
      for (const { id, ageMs } of requests) {
        const news = newsOfCall(found.get(id), new Date())
        if (news) await this.#apply({ ...news, requestId: id })
        // A call that cannot be read is one all the same.
        else if (!isComplete || found.has(id)) await this.#giveUp({ id, ageMs })
        else if (ageMs > NOT_PLACED_MS && (await closeNotPlaced(db, id)))
          logger.warn({ requestId: id, state: 'failed', reason: 'not_placed' }, 'call request')
      }
    } catch (error) {
      for (const id of names) this.#noteFailure(error, id)
    }
  }

  /** Calls of these names in the platform's list; none, and not all of it, where that cannot be read. */
  async #search(names: ReadonlySet<string>, from: Date, to: Date): ReturnType<typeof findCalls> {
    const { signal } = this.#closing
    try {
      return await findCalls(this.#options.platform, { names, from, to, signal })
    } catch (error) {
      if (signal.aborted) throw error
      for (const id of names) this.#noteFailure(error, id)
      return { found: new Map(), isComplete: false }
    }
  }

  /** Nobody can find out about a request: after a time it is left as it is. */
  async #giveUp({ id, ageMs }: Pick<CallToCheck, 'id' | 'ageMs'>): Promise<void> {
    const { db, timings, logger } = this.#options
    if (ageMs > timings.lostMs && (await giveUpUnknown(db, id)))
      logger.error(
        { requestId: id, state: 'unknown' },
        'nobody can find out whether a request was placed: the desk stops asking',
      )
  }

  async #settleUnreported(): Promise<void> {
    const { db, timings, gate } = this.#options
    const now = performance.now()
    if (now < this.#settleAt) return
    this.#settleAt = now + SETTLE_EVERY * timings.reconcileMs
    await settleUnreported(db, gate)
  }

  #noteFailure(error: unknown, requestId: string): void {
    if (!this.#closing.signal.aborted)
      this.#options.logger.debug({ requestId, reason: errorCode(error) }, 'a call could not be asked about')
  }

  async #checkBreaker(): Promise<void> {
    const { db, gate, logger } = this.#options
    if (gate?.mode !== 'full') return
    try {
      const reason = await db.transaction((tx) => checkBreaker(tx, gate))
      if (reason) alertBreaker(logger, reason)
    } catch (error) {
      logger.error({ reason: errorCode(error) }, 'the circuit breaker could not be looked at')
    }
  }
}
