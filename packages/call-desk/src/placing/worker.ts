import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.js'
import { Loop } from '../loop.js'
import { applyNews } from '../queue/call-news.js'
import {
  beginSending,
  type ClaimedRequest,
  claimRequests,
  releaseClaim,
  sweepRequests,
} from '../queue/claim.js'
import { requestsChannel } from '../queue/reserve.js'
import { settleClosed, settlePlaced, settlePostponed } from '../queue/settle.js'
import type { Timings } from '../timings.js'
import type { Visitor } from '../visitor.js'
import type { VisitorLookup } from '../visitor-lookup.js'
import { type CallSettings, placeCall } from './place-call.js'

export interface WorkerOptions extends CallSettings {
  db: Db
  visitors: VisitorLookup
  timings: Timings
  logger: Logger
}

/** Calls that one process places at a time. */
const concurrency = 10

const firstDelayMs = 1000
const longestDelayMs = 4000

/** Takes requests from the queue and has each placed at most once. Several workers, in one process or many, share a queue. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #loop: Loop
  readonly #placing = new Set<Promise<void>>()
  #unlisten: (() => Promise<void>) | undefined
  #open = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#loop = new Loop({
      everyMs: options.timings.pollMs,
      run: () => this.#work(),
      failed: (error) =>
        options.logger.error({ reason: errorCode(error) }, 'the call queue could not be read'),
    })
  }

  async start(): Promise<void> {
    this.#open = true
    this.#unlisten = await this.#options.db.listen(requestsChannel, () => this.#loop.wake())
    this.#loop.start()
  }

  /** Takes nothing more; resolves when the placements in progress are stored. */
  async close(): Promise<void> {
    this.#open = false
    // The loop first: a notification or a placement that ends must not wake it again.
    const loopClosed = this.#loop.close()
    await this.#unlisten?.()
    this.#unlisten = undefined
    await loopClosed
    await Promise.all(this.#placing)
  }

  async #work(): Promise<void> {
    const { db, timings, logger } = this.#options
    for (const { id, state } of await sweepRequests(db, timings.staleMs))
      logger.warn({ requestId: id, state }, 'call request')
    const free = concurrency - this.#placing.size
    if (free <= 0) return
    for (const request of await claimRequests(db, free, timings.leaseMs)) this.#take(request)
  }

  #take(request: ClaimedRequest): void {
    const placing = this.#place(request)
      .catch((error) =>
        this.#options.logger.error(
          { requestId: request.id, reason: errorCode(error) },
          'a call request was left',
        ),
      )
      .finally(() => {
        this.#placing.delete(placing)
        this.#loop.wake()
      })
    this.#placing.add(placing)
  }

  async #place(request: ClaimedRequest): Promise<void> {
    const { db, visitors, timings, logger } = this.#options
    const { id } = request
    // Closing has called off the lookups by now; this one would go on.
    if (!this.#open) return await releaseClaim(db, request)
    let visitor: Visitor | null
    try {
      visitor = await visitors.find(request.slug)
    } catch {
      if (!this.#open) return await releaseClaim(db, request)
      return await this.#postpone(request, 'lookup_failed: the visitor could not be read', 0)
    }
    if (!visitor) return await this.#fail(request, 'visitor_not_found: the visitor is no more')
    if (!this.#open) return await releaseClaim(db, request)
    if (!(await beginSending(db, request, timings.leaseMs))) return

    const placement = await placeCall(this.#options, request, visitor, timings.placeTimeoutMs)
    switch (placement.kind) {
      case 'placed': {
        await settlePlaced(db, request, placement.news.callId, timings.newsMs)
        const result = await applyNews(db, placement.news, timings.newsMs)
        logger.info({ requestId: id, state: result?.state, callId: placement.news.callId }, 'call request')
        return
      }
      case 'retryable':
        return await this.#postpone(
          { ...request, attempts: request.attempts + 1 },
          placement.reason,
          placement.retryAfterMs,
        )
      case 'refused':
        return await this.#fail(request, placement.reason)
      case 'unknown':
        await settleClosed(db, request, 'unknown', placement.reason)
        logger.warn({ requestId: id, state: 'unknown', reason: codeOf(placement.reason) }, 'call request')
    }
  }

  /** Tries again later, if that is still inside the promise. */
  async #postpone(request: ClaimedRequest, reason: string, retryAfterMs: number): Promise<void> {
    const { db, timings, logger } = this.#options
    const backoff = Math.min(firstDelayMs * 2 ** Math.max(0, request.attempts - 1), longestDelayMs)
    const delayMs = Math.max(backoff, retryAfterMs)
    const state = await settlePostponed(db, request, reason, { delayMs, promiseMs: timings.promiseMs })
    logger.warn(
      { requestId: request.id, state, reason: codeOf(reason), delayMs },
      'call request was not placed',
    )
  }

  async #fail(request: ClaimedRequest, reason: string): Promise<void> {
    await settleClosed(this.#options.db, request, 'failed', reason)
    this.#options.logger.warn(
      { requestId: request.id, state: 'failed', reason: codeOf(reason) },
      'call request',
    )
  }
}

/** The code of a reason: what the platform said may hold what nobody wants in a log. */
function codeOf(reason: string): string {
  return reason.split(':', 1)[0] ?? reason
}
