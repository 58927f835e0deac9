import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import { hasUserinfo } from '../assistants/userinfo.js'
import { Pauses } from '../work/pauses.js'
import type { MessageServer } from './message-server.js'
import { messageHeaders } from './message-signature.js'

/** How long a server may take to answer, in seconds, by default (the platform's own). */
const TIMEOUT_SECONDS = 20
/** How long the platform waits for its last messages when it closes, in milliseconds. */
const CLOSE_MS = 5_000
/** Answers below 500 that another try may change: the server was too slow, or is asked too often. */
const WORTH_ANOTHER_TRY = [408, 429]

/** What became of a message: the last status, where the server answered, or the failure. */
export interface Posted {
  delivered: boolean
  tries: number
  status?: number
  failure?: unknown
}

/**
 * Posts messages, and tries again as the server's backoff plan says. It does so after a failure, a timeout or any answer but 2xx;
 * redirects are not followed. A 4xx other than 408 and 429 ends the tries. Messages wait in memory and do not outlive the process.
 */
export class MessagePost {
  readonly #fetch: typeof fetch
  readonly #clock: Clock
  readonly #pauses: Pauses
  readonly #cutOff = new AbortController()

  constructor(options: { fetch: typeof fetch; clock: Clock }) {
    this.#fetch = options.fetch
    this.#clock = options.clock
    this.#pauses = new Pauses(options.clock)
  }

  /** Never rejects. No failure shows an address with a password, as the failures of fetch do. `through` is used in place of the usual fetch. */
  async send(server: MessageServer, body: string, through = this.#fetch): Promise<Posted> {
    if (!URL.canParse(server.url)) return unusable('the server’s URL is not a URL')
    if (hasUserinfo(server.url)) return unusable('the server’s URL names a user or a password')
    const id = `msg_${randomUUID()}`
    const { type = 'fixed', maxRetries = 0, baseDelaySeconds = 0 } = server.backoffPlan ?? {}
    for (let tries = 1; ; tries += 1) {
      const isLast = this.#pauses.isClosed || tries > maxRetries
      const posted = { ...(await this.#try(server, { id, body }, through)), tries }
      if (posted.delivered || isLast || isFinal(posted.status)) return posted
      await this.#pauses.wait(1000 * baseDelaySeconds * (type === 'exponential' ? 2 ** (tries - 1) : 1))
    }
  }

  /** Ends all pauses: each waiting message is tried once more. Tries are cut off after 5 s, unless the returned function is called first. */
  close(): () => void {
    this.#pauses.close()
    return this.#clock.after(CLOSE_MS, () => this.#cutOff.abort(new Error('the platform closes')))
  }

  async #try(
    server: MessageServer,
    { id, body }: { id: string; body: string },
    through: typeof fetch,
  ): Promise<Omit<Posted, 'tries'>> {
    const timedOut = new AbortController()
    const { timeoutSeconds = TIMEOUT_SECONDS } = server
    const stopTimeout = this.#clock.after(1000 * timeoutSeconds, () =>
      timedOut.abort(new Error(`no answer within ${timeoutSeconds} s`)),
    )
    try {
      const timestamp = Math.floor(this.#clock.now() / 1000)
      const response = await through(server.url, {
        method: 'POST',
        headers: messageHeaders(server, { id, timestamp, body }),
        body,
        redirect: 'manual',
        signal: AbortSignal.any([timedOut.signal, this.#cutOff.signal]),
      })
      await response.body?.cancel()
      return { delivered: response.ok, status: response.status }
    } catch (failure) {
      return { delivered: false, failure }
    } finally {
      stopTimeout()
    }
  }
}

/** The server has understood the message, and does not want it. */
const isFinal = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && !WORTH_ANOTHER_TRY.includes(status)

const unusable = (text: string): Posted => ({ delivered: false, tries: 0, failure: new Error(text) })
