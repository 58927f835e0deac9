import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import { Stopwatch } from '@heyline/kit/stopwatch'
import { traced } from '@heyline/kit/trace'
import type { Logger } from 'pino'
import { CAMPAIGN_SLUG } from '../call/campaign-slug.js'
import type { VisitorLookup } from '../call/visitor-lookup.js'
import type { GateSettings } from '../gate/gate-settings.js'
import { isQuietNow } from '../gate/quiet-hours.js'
import { SWITCHES_CHANNEL } from '../gate/switches.js'
import { applyNews, logNews } from '../news/call-news.js'
import {
  beginSending,
  type ClaimedRequest,
  claimRequests,
  type DialRules,
  releaseAll,
  releaseClaim,
} from '../queue/claim.js'
import { REQUESTS_CHANNEL } from '../queue/reserve.js'
import { settleClosed, settlePlaced, settlePostponed } from '../queue/settle.js'
import { sweepRequests } from '../queue/sweep.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import { errorCode, reasonCode } from '../run/error-code.js'
import type { Timings } from '../run/timings.js'
import { CallWords, type Words } from './call-words.js'
import { Leftovers } from './leftovers.js'
import { type CallSettings, type CallToPlace, placeCall } from './place-call.js'

export interface WorkerOptions extends CallSettings {
  db: Db
  visitors: VisitorLookup
  gate: Pick<GateSettings, 'mode' | 'maxSeconds' | 'hours' | 'costsArePart'>
  timings: Timings
  measures?: DeskMeasures | undefined
  /** False while this process can hold no further call: then it leaves the queue to others. Always true where it is left out. */
  hasRoom?: (() => boolean) | undefined
  logger: Logger
}

/** Calls that one process places at a time. */
const CONCURRENCY = 10

/**
 * Longest from the last look before the dial to the dial, in milliseconds: a process that stood still for longer may have lost the row, so it
 * sends nothing. At most this part of a lease.
 */
const LONGEST_STALL_MS = 5000
const STALL_PART = 1 / 4

/** Why a row is tried again that nothing was sent for. */
const UNREADABLE = 'lookup_failed: the visitor could not be read'
const STALLED = 'stalled: the process stood still before the dial'
const OUTAGE = 'outage: the database was away, and no call was placed'

/** Why nobody is called whose words cannot be found any more. */
const VISITOR_GONE = 'visitor_not_found: the visitor is no more'
const CAMPAIGN_OVER = 'too_late: the campaign is over'

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 4000

const triedOnce = (request: ClaimedRequest): ClaimedRequest => ({
  ...request,
  attempts: request.attempts + 1,
})

/** Takes requests from the queue and has each placed at most once. Several workers, in one process or many, share a queue. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #rules: DialRules
  readonly #words: CallWords
  readonly #loop: Loop
  readonly #leftovers = new Leftovers()
  readonly #placing = new Set<Promise<void>>()
  #unlisten: (() => Promise<void>)[] = []
  #open = false
  /** When rows are looked for next that nobody brings further. */
  #sweepAt = 0
  /** Rows may wait for a free place. */
  #isFull = false

  constructor(options: WorkerOptions) {
    const { gate, timings, logger } = options
    this.#options = options
    const { staleMs } = timings
    this.#rules = { breaker: gate.mode === 'full', maxSeconds: gate.maxSeconds, staleMs }
    this.#words = new CallWords({ ...options, limitMs: timings.lookupMs })
    this.#loop = new Loop({
      everyMs: timings.pollMs,
      run: () => this.#work(),
      onError: (error) => logger.error({ reason: errorCode(error) }, 'the call queue could not be read'),
    })
  }

  async start(): Promise<void> {
    const { db } = this.#options
    this.#open = true
    this.#words.start()
    this.#unlisten.push(await db.listen(REQUESTS_CHANNEL, () => this.#loop.wake()))
    this.#unlisten.push(
      await db.listen(SWITCHES_CHANNEL, () => {
        this.#sweepAt = 0
        this.#loop.wake()
      }),
    )
    this.#loop.start()
  }

  /** Takes nothing more; resolves when the placements in progress are stored. */
  async close(): Promise<void> {
    this.#open = false
    // The loop first: a notification or a placement that ends must not wake it again.
    const loopClosed = this.#loop.close()
    this.#words.close()
    await Promise.all(this.#unlisten.splice(0).map((unlisten) => unlisten()))
    await loopClosed
    await Promise.all(this.#placing)
  }

  async #work(): Promise<void> {
    const { timings, hasRoom } = this.#options
    // Before a sweep takes them for lost.
    await this.#leftovers.amend()
    const free = (hasRoom?.() ?? true) ? CONCURRENCY - this.#placing.size : 0
    // What waits to be dialled comes first: a sweep would hold it up.
    const claimed = free > 0 ? await this.#claim(free) : []
    this.#isFull = claimed.length >= free
    for (const request of claimed) this.#take(request)
    const now = performance.now()
    if (now < this.#sweepAt) return
    this.#sweepAt = now + timings.pollMs
    await this.#sweep()
  }

  async #claim(limit: number): Promise<ClaimedRequest[]> {
    const { db, timings } = this.#options
    const claim = randomUUID()
    return await this.#leftovers.during(
      () => claimRequests(db, { claim, limit, leaseMs: timings.leaseMs }, this.#rules),
      () => releaseAll(db, claim),
    )
  }

  async #sweep(): Promise<void> {
    const { db, timings, measures, logger } = this.#options
    for (const { id, state, refusal } of await sweepRequests(db, timings.leaseMs, this.#rules)) {
      if (refusal !== null) measures?.refused('phone', 'out', refusal)
      logger.warn({ requestId: id, state, ...(refusal !== null && { refusal }) }, 'call request')
    }
  }

  #take(request: ClaimedRequest): void {
    const { id: requestId, traceparent: parent = null } = request
    const span = { name: 'desk place call', attributes: { requestId }, parent }
    const placing = traced(span, () => this.#place(request))
      .catch((error) =>
        this.#options.logger.error(
          { requestId: request.id, reason: errorCode(error) },
          'a call request was left',
        ),
      )
      .finally(() => {
        this.#placing.delete(placing)
        if (this.#isFull) this.#loop.wake()
      })
    this.#placing.add(placing)
  }

  async #place(request: ClaimedRequest): Promise<void> {
    const { db, gate, timings, logger } = this.#options
    const resume = () => this.#resume(request)
    const call = await this.#leftovers.during(() => this.#begin(request), resume)
    if (!call) return
    const placement = await placeCall(this.#options, call, timings.placeTimeoutMs)
    switch (placement.kind) {
      case 'placed': {
        const { news, controlUrl } = placement
        await settlePlaced(db, request, { callId: news.callId, controlUrl }, timings.newsMs)
        const result = await applyNews(db, { ...news, requestId: call.id }, timings.newsMs, gate)
        if (result?.isMisjudged) logNews(logger, result)
        else logger.info({ requestId: call.id, state: result?.state, callId: news.callId }, 'call request')
        return
      }
      case 'retryable': {
        const { reason, retryAfterMs, isOutage } = placement
        const withinMs = isOutage && timings.staleMs
        return await this.#leftovers.during(
          () => this.#postpone(triedOnce(request), reason, { retryAfterMs, withinMs }),
          resume,
        )
      }
      case 'refused':
        return await this.#fail(request, placement.reason)
      case 'unknown':
        await settleClosed(db, request, 'unknown', placement.reason)
        logger.warn(
          { requestId: call.id, state: 'unknown', reason: reasonCode(placement.reason) },
          'call request',
        )
    }
  }

  /** All that comes before the dial. Nothing is sent in here; undefined where nothing is to be sent. */
  async #begin(request: ClaimedRequest): Promise<CallToPlace | undefined> {
    const { db, gate, timings, logger } = this.#options
    const { id, phone } = request
    // Closing has called off the lookups by now; this one would go on.
    if (!this.#open) return await this.#release(request)
    let words: Words | undefined
    try {
      words = await this.#words.of(request)
    } catch (error) {
      if (!this.#open) return await this.#release(request)
      await this.#postpone(request, UNREADABLE, { cause: errorCode(error) })
      return undefined
    }
    if (!words) {
      await this.#fail(request, request.slug === CAMPAIGN_SLUG ? CAMPAIGN_OVER : VISITOR_GONE)
      return undefined
    }
    if (!this.#open) return await this.#release(request)
    const bar = (await isQuietNow(db, phone, gate)) ? 'quiet_hours' : undefined
    const stopwatch = new Stopwatch()
    const sending = await beginSending(db, request, timings.leaseMs, this.#rules, bar)
    if (!sending) return undefined
    if (!sending.begun) {
      this.#options.measures?.refused('phone', 'out', sending.refusal)
      logger.warn({ requestId: id, state: sending.state, refusal: sending.refusal }, 'call request')
      return undefined
    }
    if (stopwatch.elapsedMs > Math.min(LONGEST_STALL_MS, timings.leaseMs * STALL_PART)) {
      await this.#postpone(triedOnce(request), STALLED)
      return undefined
    }
    return { id, phone, ...words, maxSeconds: sending.maxSeconds, callerId: request.callerId }
  }

  /** Gives a row back before anything was sent. */
  async #release(request: ClaimedRequest): Promise<undefined> {
    await releaseClaim(this.#options.db, request)
  }

  /** After an outage, for a row that certainly nothing was sent for. It may take as long as one that waited in the queue meanwhile. */
  async #resume(request: ClaimedRequest): Promise<void> {
    await this.#postpone(request, OUTAGE, { withinMs: this.#options.timings.staleMs })
  }

  /** Tries again later, if that is still inside the promise, or within as long after the request. */
  async #postpone(
    request: ClaimedRequest,
    reason: string,
    { retryAfterMs = 0, withinMs, cause }: { retryAfterMs?: number; withinMs?: number; cause?: string } = {},
  ): Promise<void> {
    const { db, timings, logger } = this.#options
    const promiseMs = withinMs ?? timings.promiseMs
    const backoff = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, request.attempts - 1), LONGEST_DELAY_MS)
    // What is past the promise fails, however far; no database adds up any number.
    const delayMs = Math.min(Math.max(backoff, retryAfterMs), promiseMs)
    const state = await settlePostponed(db, request, reason, { delayMs, promiseMs })
    logger.warn(
      {
        requestId: request.id,
        state,
        reason: reasonCode(reason),
        ...(cause !== undefined && { cause }),
        delayMs,
      },
      'call request was not placed',
    )
  }

  async #fail(request: ClaimedRequest, reason: string): Promise<void> {
    await settleClosed(this.#options.db, request, 'failed', reason)
    this.#options.logger.warn(
      { requestId: request.id, state: 'failed', reason: reasonCode(reason) },
      'call request',
    )
  }
}
