import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import { Stopwatch } from '@heyline/kit/stopwatch'
import { traced } from '@heyline/kit/trace'
import type { Logger } from 'pino'
import { CAMPAIGN_SLUG } from '../call/campaign-slug.js'
import type { Visitor, VisitorLookup } from '../call/visitor-lookup.js'
import type { GateSettings } from '../gate/gate-settings.js'
import { isQuietNow } from '../gate/quiet-hours.js'
import { SWITCHES_CHANNEL } from '../gate/switches.js'
import { applyNews, logNews } from '../news/call-news.js'
import {
  beginSending,
  type ClaimedRequest,
  claimRequests,
  type DialRules,
  releaseClaim,
} from '../queue/claim.js'
import { REQUESTS_CHANNEL } from '../queue/reserve.js'
import { settleClosed, settlePlaced, settlePostponed } from '../queue/settle.js'
import { sweepRequests } from '../queue/sweep.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import { errorCode, reasonCode } from '../run/error-code.js'
import type { Timings } from '../run/timings.js'
import { AssistantGreeting } from './assistant-greeting.js'
import { AssistantGreetings } from './assistant-greetings.js'
import { findCampaignCall } from './campaign-call.js'
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

type Words = Pick<CallToPlace, 'visitor' | 'firstMessage' | 'campaign'>

/** Calls that one process places at a time. */
const CONCURRENCY = 10

/** How long the assistant's own first message is kept, in milliseconds. */
const GREETING_KEPT_MS = 60_000

/**
 * Longest from the last look before the dial to the dial, in milliseconds: a process that stood still for longer may have lost the row, so it
 * sends nothing. At most this part of a lease.
 */
const LONGEST_STALL_MS = 5000
const STALL_PART = 1 / 4

/** Why nobody is called whose words cannot be found any more. */
const VISITOR_GONE = 'visitor_not_found: the visitor is no more'
const CAMPAIGN_OVER = 'too_late: the campaign is over'

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 4000

/** Takes requests from the queue and has each placed at most once. Several workers, in one process or many, share a queue. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #rules: DialRules
  readonly #greeting: AssistantGreeting
  readonly #greetings: AssistantGreetings
  readonly #loop: Loop
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
    const kept = { keptMs: GREETING_KEPT_MS, limitMs: timings.lookupMs }
    this.#greeting = new AssistantGreeting({ ...options, ...kept })
    this.#greetings = new AssistantGreetings({ ...options, ...kept })
    this.#loop = new Loop({
      everyMs: timings.pollMs,
      run: () => this.#work(),
      onError: (error) => logger.error({ reason: errorCode(error) }, 'the call queue could not be read'),
    })
  }

  async start(): Promise<void> {
    const { db } = this.#options
    this.#open = true
    void this.#greeting.get()
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
    this.#greeting.close()
    this.#greetings.close()
    await Promise.all(this.#unlisten.splice(0).map((unlisten) => unlisten()))
    await loopClosed
    await Promise.all(this.#placing)
  }

  async #work(): Promise<void> {
    const { db, timings, hasRoom } = this.#options
    const free = (hasRoom?.() ?? true) ? CONCURRENCY - this.#placing.size : 0
    // What waits to be dialled comes first: a sweep would hold it up.
    const claimed = free > 0 ? await claimRequests(db, free, timings.leaseMs, this.#rules) : []
    this.#isFull = claimed.length >= free
    for (const request of claimed) this.#take(request)
    const now = performance.now()
    if (now < this.#sweepAt) return
    this.#sweepAt = now + timings.pollMs
    await this.#sweep()
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
    const { id, phone } = request
    // Closing has called off the lookups by now; this one would go on.
    if (!this.#open) return await releaseClaim(db, request)
    let words: Words | undefined
    try {
      words = await this.#wordsOf(request)
    } catch (error) {
      if (!this.#open) return await releaseClaim(db, request)
      const reason = 'lookup_failed: the visitor could not be read'
      return await this.#postpone(request, reason, 0, errorCode(error))
    }
    if (!words)
      return await this.#fail(request, request.slug === CAMPAIGN_SLUG ? CAMPAIGN_OVER : VISITOR_GONE)
    if (!this.#open) return await releaseClaim(db, request)
    const bar = (await isQuietNow(db, phone, gate)) ? 'quiet_hours' : undefined
    const stopwatch = new Stopwatch()
    const sending = await beginSending(db, request, timings.leaseMs, this.#rules, bar)
    if (!sending) return
    if (!sending.begun) {
      this.#options.measures?.refused('phone', 'out', sending.refusal)
      logger.warn({ requestId: id, state: sending.state, refusal: sending.refusal }, 'call request')
      return
    }

    const tried = { ...request, attempts: request.attempts + 1 }
    if (stopwatch.elapsedMs > Math.min(LONGEST_STALL_MS, timings.leaseMs * STALL_PART))
      return await this.#postpone(tried, 'stalled: the process stood still before the dial', 0)
    const { maxSeconds } = sending
    const call = { id, phone, ...words, maxSeconds, callerId: request.callerId }
    const placement = await placeCall(this.#options, call, timings.placeTimeoutMs)
    switch (placement.kind) {
      case 'placed': {
        const { news, controlUrl } = placement
        await settlePlaced(db, request, { callId: news.callId, controlUrl }, timings.newsMs)
        const result = await applyNews(db, { ...news, requestId: id }, timings.newsMs, gate)
        if (result?.isMisjudged) logNews(logger, result)
        else logger.info({ requestId: id, state: result?.state, callId: news.callId }, 'call request')
        return
      }
      case 'retryable':
        return await this.#postpone(tried, placement.reason, placement.retryAfterMs)
      case 'refused':
        return await this.#fail(request, placement.reason)
      case 'unknown':
        await settleClosed(db, request, 'unknown', placement.reason)
        logger.warn({ requestId: id, state: 'unknown', reason: reasonCode(placement.reason) }, 'call request')
    }
  }

  /** What is said in the call. Undefined where whom it is for is gone. Rejects where that cannot be read. */
  async #wordsOf({ id, slug }: ClaimedRequest): Promise<Words | undefined> {
    const { db, visitors } = this.#options
    if (slug === CAMPAIGN_SLUG) {
      const campaign = await findCampaignCall(db, id)
      if (!campaign) return undefined
      const { firstMessage, hasServer } = await this.#greetings.of(campaign.assistantId)
      return { visitor: { slug }, campaign: { ...campaign, hasServer }, firstMessage }
    }
    const visitor: Visitor | null = await visitors.find(slug)
    if (!visitor) return undefined
    const firstMessage = visitor.first_message?.trim() ? undefined : await this.#greeting.get()
    return { visitor, firstMessage }
  }

  /** Tries again later, if that is still inside the promise. */
  async #postpone(
    request: ClaimedRequest,
    reason: string,
    retryAfterMs: number,
    cause?: string,
  ): Promise<void> {
    const { db, timings, logger } = this.#options
    const backoff = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, request.attempts - 1), LONGEST_DELAY_MS)
    // What is past the promise fails, however far; no database adds up any number.
    const delayMs = Math.min(Math.max(backoff, retryAfterMs), timings.promiseMs)
    const state = await settlePostponed(db, request, reason, { delayMs, promiseMs: timings.promiseMs })
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
