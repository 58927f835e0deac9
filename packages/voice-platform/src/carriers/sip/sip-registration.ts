import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { CarrierRefusal } from '../carrier.js'
import { contactOf, newRequest, newToken } from './dialog.js'
import type { SipAgent } from './sip-agent.js'
import { type SipAccount, SipExchange } from './sip-exchange.js'
import type { SipHeaders } from './sip-headers.js'
import type { SipResponse } from './sip-message.js'
import { findServer } from './sip-route.js'
import { userPart } from './sip-uri.js'

/** How long a registration is asked for, and the least and most that is taken, in seconds. */
const EXPIRES = 300
const LEAST = 30
const MOST = 86_400
/** A registration is renewed when so much of its time is over. */
const RENEWED_AT = 0.8
/** The wait after a failure: it doubles with each, up to the longest. In milliseconds. */
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 300_000
/** Where the account was refused. Servers shut out whoever tries often. */
const REFUSED_WAIT_MS = 60_000

export interface SipRegistrationOptions {
  agent: SipAgent
  account: SipAccount
  /** Whose account it is: the host of its address. */
  domain: string
  /** Where it is sent. */
  server: { host: string; port?: number }
  clock: Clock
  logger: Logger
}

/** Tells a server where we are, so that it sends us our calls (REGISTER, RFC 3261 10), again and again until it is stopped. */
export class SipRegistration {
  readonly #options: SipRegistrationOptions
  readonly #callId = newToken()
  readonly #tag = newToken()
  #cseq = 0
  #expires = EXPIRES
  #failures = 0
  #state: 'none' | 'registered' | 'failed' = 'none'
  #isOver = false
  #hasLeft = false
  #stopTimer = () => {}

  constructor(options: SipRegistrationOptions) {
    this.#options = options
  }

  /** Registers, and goes on with it. Never rejects. */
  async run(): Promise<void> {
    if (this.#isOver) return
    const waitMs = await this.#register()
    // It may have been stopped while the server thought about it.
    if (this.#isOver) this.#leave()
    else this.#stopTimer = this.#options.clock.after(waitMs, () => void this.run())
  }

  /** Leaves the server. The agent is busy until that has heard of it. Idempotent. */
  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopTimer()
    this.#leave()
  }

  #leave(): void {
    if (this.#state !== 'registered' || this.#hasLeft) return
    this.#hasLeft = true
    const left = this.#ask(0).then(
      () => undefined,
      () => undefined,
    )
    void this.#options.agent.prepare(left)
  }

  /** Resolves with the milliseconds until the next time. */
  async #register(): Promise<number> {
    try {
      let answer = await this.#ask(this.#expires)
      const least = answer.status === 423 ? Number(answer.headers.get('min-expires')) : Number.NaN
      if (least > this.#expires && least <= MOST) {
        this.#expires = least
        answer = await this.#ask(least)
      }
      if (answer.status >= 300) return this.#failed(answer.status)
      this.#failures = 0
      this.#tell('registered')
      return grantedSeconds(answer.headers, this.#expires) * RENEWED_AT * 1000
    } catch (error) {
      const { logger } = this.#options
      if (this.#state !== 'failed' && !this.#isOver)
        logger.warn(
          { err: error },
          error instanceof CarrierRefusal ? error.message : 'The SIP server did not answer.',
        )
      return this.#failed()
    }
  }

  #failed(status?: number): number {
    this.#tell('failed', status)
    this.#failures += 1
    const isRefused = status === 401 || status === 403 || status === 407
    const firstMs = isRefused ? REFUSED_WAIT_MS : FIRST_WAIT_MS
    return Math.min(LONGEST_WAIT_MS, firstMs * 2 ** (this.#failures - 1))
  }

  /** Logs a change once. */
  #tell(state: 'registered' | 'failed', status?: number): void {
    const { logger } = this.#options
    if (state === this.#state) return
    this.#state = state
    if (this.#isOver) return
    if (state === 'registered') logger.info('registered at the SIP server: it sends us calls')
    else
      logger.warn(
        { status },
        'not registered at the SIP server: no call comes in. It is tried again; see SIP_USER and SIP_PASSWORD',
      )
  }

  /** Asks for so many seconds; 0 leaves. Rejects where the server is not found or says nothing. */
  async #ask(expires: number): Promise<SipResponse> {
    const { agent, account, domain, server } = this.#options
    const { peer, own } = await findServer(agent, server)
    const address = `<sip:${userPart(account.user)}@${domain}>`
    const from = `${address};tag=${this.#tag}`
    return new Promise((resolve, reject) => {
      new SipExchange({
        agent,
        peer,
        account,
        make: (proofs) => {
          this.#cseq += 1
          return newRequest(
            { ...own, from },
            {
              method: 'REGISTER',
              uri: `sip:${domain}`,
              to: address,
              callId: this.#callId,
              cseq: this.#cseq,
              headers: [...proofs, contactOf({ ...own, from }), ['expires', String(expires)]],
            },
          )
        },
        onResponse(response) {
          if (response.status >= 200) resolve(response)
        },
        onTimeout: () => reject(new Error('The SIP server did not answer.')),
      })
    })
  }
}

/** For how long the server has registered us, in seconds: what it says of our contact, or else of all. */
function grantedSeconds(headers: SipHeaders, asked: number): number {
  const contact = headers.all('contact').find((value) => value.includes('heyline@')) ?? ''
  const [, seconds = headers.get('expires') ?? String(asked)] =
    /;[ \t]*expires[ \t]*=[ \t]*"?(\d{1,9})/i.exec(contact) ?? []
  return Math.min(MOST, Math.max(LEAST, Number(seconds) || asked))
}
