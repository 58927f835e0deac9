import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'

/** Between two lines in the log, in ms. Anybody who has the public key can cause one. */
const QUIET_MS = 60_000
/** Longest origin that is logged, in characters. */
const MOST_ORIGIN = 200

/**
 * Notices pages whose client can join Daily's rooms only, and will fail after some seconds without saying why: `@vapi-ai/web` says no
 * `Accept`, and our own client asks for JSON. A client without an `Origin` is no page.
 */
export class DailyClients {
  readonly #clock: Clock
  readonly #logger: Logger
  #quietUntil = Number.NEGATIVE_INFINITY

  constructor({ clock, logger }: { clock: Clock; logger: Logger }) {
    this.#clock = clock
    this.#logger = logger
  }

  /** A web call was made for this request. */
  notice({ headers }: Request, callId: string): void {
    const origin = headers.get('origin')
    const now = this.#clock.now()
    if (origin === null || headers.get('accept')?.includes('application/json') || now < this.#quietUntil)
      return
    this.#quietUntil = now + QUIET_MS
    this.#logger.warn(
      { callId, origin: origin.slice(0, MOST_ORIGIN) },
      'this page asked for a call as @vapi-ai/web does, which joins Daily rooms only: the rooms here are sockets, so use @heyline/web-call',
    )
  }
}
