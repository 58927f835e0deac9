import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import type { Call, PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { errorCode } from '../run/error-code.js'
import type { Timings } from '../run/timings.js'
import { storeUnasked } from '../web-calls/unasked-rows.js'
import { PAGE_SIZE } from './find-calls.js'
import type { Unasked } from './inbox-worker.js'

export interface UnaskedCallsOptions {
  db: Db
  platform: PlatformClient
  unasked: Unasked
  timings: Pick<Timings, 'newsMs'>
  logger: Logger
}

/** Between two looks, in milliseconds: each is one request to the platform. */
const EVERY_MS = 60_000
/** How far the first look goes back, and every later one, in milliseconds. The platform's clock may differ from ours by minutes. */
const FIRST_SPAN_MS = 24 * 60 * 60_000
const SPAN_MS = 60 * 60_000
/** Most pages of a look. */
const MOST_PAGES = 80

/**
 * Looks into a hosted platform's list for browser calls of our assistant that neither a page's note nor a message told of, so that they are
 * in the records too. Those that nobody joined are left out.
 */
export class UnaskedCalls {
  readonly #options: UnaskedCallsOptions
  readonly #loop: Loop
  readonly #closing = new AbortController()
  #spanMs = FIRST_SPAN_MS

  constructor(options: UnaskedCallsOptions) {
    this.#options = options
    this.#loop = new Loop({
      everyMs: EVERY_MS,
      run: () => this.look(),
      onError: (error) => {
        if (!this.#closing.signal.aborted)
          options.logger.debug({ reason: errorCode(error) }, "the platform's list of calls could not be read")
      },
    })
  }

  start(): void {
    this.#loop.start()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#loop.close()
  }

  /** One look. Rejects where the list can't be read: the next one goes back as far. */
  async look(): Promise<void> {
    const { db, platform, unasked, timings } = this.#options
    const { assistantId } = unasked
    const from = new Date(Date.now() - this.#spanMs)
    let before: Date | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = {
        assistantId,
        limit: PAGE_SIZE,
        createdAtGe: from,
        ...(before && { createdAtLe: before }),
      }
      // Whatever the platform sends, no more is stored than was asked for.
      const calls = (await platform.calls.list(query, { signal: this.#closing.signal })).slice(0, PAGE_SIZE)
      const ours = calls.filter((call) => isBegun(call) && call.assistantId === assistantId)
      const found = ours.map(({ id, monitor }) => ({ callId: id, slug: '', controlUrl: monitor?.controlUrl }))
      const { maxSeconds } = unasked
      await db.transaction((tx) => storeUnasked(tx, found, { maxSeconds, newsMs: timings.newsMs }))
      if (calls.length < PAGE_SIZE) break
      const oldest = new Date(Math.min(...calls.map(({ createdAt }) => Date.parse(createdAt))))
      if (before && !(oldest < before)) break
      before = oldest
    }
    this.#spanMs = SPAN_MS
  }
}

/** Somebody is or was in it, in a browser. */
const isBegun = ({ type, startedAt }: Call): boolean => type === 'webCall' && startedAt !== undefined
