import type { Db } from '@heyline/database'
import { NotFoundError, type PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.js'
import { Loop } from '../loop.js'
import { applyNews, type CallNews, type CallToCheck, claimChecks } from '../queue/call-news.js'
import type { Timings } from '../timings.js'
import { newsOfCall } from './platform-news.js'

export interface ReconcilerOptions {
  db: Db
  platform: PlatformClient
  timings: Timings
  logger: Logger
}

/** Calls asked about at a time. */
const batch = 10

/** Asks the platform about placed calls that no message came for, so that a lost message leaves no call open. */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #loop: Loop
  readonly #closing = new AbortController()

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#loop = new Loop({
      everyMs: options.timings.reconcileMs,
      run: () => this.#run(),
      failed: (error) =>
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
    const calls = await claimChecks(db, batch, timings.newsMs)
    await Promise.all(calls.map((call) => this.#check(call)))
    if (calls.length === batch) this.#loop.wake()
  }

  async #check(call: CallToCheck): Promise<void> {
    const { db, timings, logger } = this.#options
    const news = await this.#ask(call)
    if (!news) return
    const result = await applyNews(db, { ...news, callId: call.callId }, timings.newsMs)
    if (result && result.state !== result.was)
      logger.info({ requestId: call.id, state: result.state }, 'call request')
  }

  /** What the platform says of the call; undefined when it says nothing now. A call that it no longer knows is over. */
  async #ask({ id, callId, ageMs }: CallToCheck): Promise<CallNews | undefined> {
    const { platform, timings, logger } = this.#options
    const now = new Date()
    const closed = (endedReason: string): CallNews => ({ callId, state: 'ended', endedAt: now, endedReason })
    let news: CallNews | undefined
    try {
      news = newsOfCall(await platform.calls.get(callId, { signal: this.#closing.signal }), now)
    } catch (error) {
      if (error instanceof NotFoundError) return closed('not-found')
      if (!this.#closing.signal.aborted)
        logger.debug({ requestId: id, reason: errorCode(error) }, 'a call could not be asked about')
    }
    return news?.state !== 'ended' && ageMs > timings.lostMs ? closed('lost') : news
  }
}
