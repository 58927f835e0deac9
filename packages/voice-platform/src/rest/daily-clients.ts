import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { Budget } from '../work/budget.js'

/** One line a minute: anybody who has the public key can cause one. */
const LINES = { perSecond: 1 / 60, atOnce: 1 }
/** Longest origin that is logged, in characters. */
const MOST_ORIGIN = 200

/**
 * Notices pages whose client can join Daily's rooms only, and will fail after some seconds without saying why: `@vapi-ai/web` says no
 * `Accept`, and our own client asks for JSON. A client without an `Origin` is no page.
 */
export class DailyClients {
  readonly #logger: Logger
  readonly #lines: Budget

  constructor({ clock, logger }: { clock: Clock; logger: Logger }) {
    this.#logger = logger
    this.#lines = new Budget(clock, LINES)
  }

  /** A web call was made for this request. */
  notice({ headers }: Request, callId: string): void {
    const origin = headers.get('origin')
    if (origin === null || headers.get('accept')?.includes('application/json') || !this.#lines.spend()) return
    this.#logger.warn(
      { callId, origin: origin.slice(0, MOST_ORIGIN) },
      'this page asked for a call as @vapi-ai/web does, which joins Daily rooms only: the rooms here are sockets, so use @heyline/web-call',
    )
  }
}
