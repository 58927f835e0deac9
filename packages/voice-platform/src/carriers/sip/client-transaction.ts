import type { Clock } from '@heyline/kit/clock'
import { SipHeaders } from './sip-headers.js'
import { branchOf, cseqOf, printMessage, type SipRequest, type SipResponse } from './sip-message.js'

/** The timers of RFC 3261 (table 4), in milliseconds. */
export const T1 = 500
export const T2 = 4_000
export const T4 = 5_000
/** How long anything is repeated that nobody answers: timers B, F, H and J. */
export const TRANSACTION_MS = 64 * T1

export interface ClientTransactionOptions {
  request: SipRequest
  clock: Clock
  send(datagram: Buffer): void
  /** Every provisional answer, then the final one. Of an INVITE that succeeds, each repeated or forked 2xx as well. */
  onResponse(response: SipResponse): void
  /** No final answer came in time. */
  onTimeout(): void
  /** Nothing more comes, and nothing is repeated any more. */
  onOver(): void
  /** A message cannot be printed, and is not sent. */
  onFault(error: unknown): void
}

/**
 * A request that was sent, until it is over: RFC 3261 17.1 over UDP, with the `accepted` state of RFC 6026. A repeated INVITE is byte for byte
 * the same. A request that cannot be printed counts as one that nobody answers.
 */
export class ClientTransaction {
  readonly request: SipRequest
  readonly key: string
  readonly #options: ClientTransactionOptions
  readonly #datagram: Buffer | undefined
  readonly #isInvite: boolean
  #state: 'calling' | 'proceeding' | 'accepted' | 'completed' | 'over' = 'calling'
  #stopRepeating = () => {}
  #stopWaiting = () => {}
  #ack: Buffer | undefined

  constructor(options: ClientTransactionOptions) {
    this.#options = options
    this.request = options.request
    this.key = keyOf(options.request.headers)
    this.#datagram = this.#printed(options.request)
    this.#isInvite = options.request.method === 'INVITE'
  }

  /** Its final answer has not come yet. */
  get isUnanswered(): boolean {
    return this.#state === 'calling' || this.#state === 'proceeding'
  }

  start(): void {
    this.#send(this.#datagram)
    if (this.#datagram) this.#repeat(T1)
    this.#wait(this.#datagram ? TRANSACTION_MS : 0, () => this.#timeOut())
  }

  receive(response: SipResponse): void {
    if (this.#state === 'over') return
    const isFinal = response.status >= 200
    if (this.#state === 'completed') {
      if (isFinal) this.#send(this.#ack)
    } else if (this.#state === 'accepted') {
      if (isFinal && response.status < 300) this.#options.onResponse(response)
    } else {
      if (isFinal) this.#finish(response)
      else this.#proceed()
      this.#options.onResponse(response)
    }
  }

  /** Sends the request no more, and still takes what comes of it. */
  stopRepeating(): void {
    this.#stopRepeating()
  }

  /** Gives up on a final answer after this many milliseconds from now. */
  giveUpIn(milliseconds: number): void {
    if (this.isUnanswered) this.#wait(milliseconds, () => this.#timeOut())
  }

  /** Idempotent. */
  end(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#stopRepeating()
    this.#stopWaiting()
    this.#options.onOver()
  }

  #proceed(): void {
    if (this.#state !== 'calling') return
    this.#state = 'proceeding'
    this.#stopRepeating()
    // Whoever sent the INVITE says how long it may ring.
    if (this.#isInvite) this.#stopWaiting()
    else this.#repeat(T2)
  }

  #finish(response: SipResponse): void {
    this.#stopRepeating()
    if (!this.#isInvite) {
      this.#state = 'completed'
      this.#wait(T4, () => this.end())
      return
    }
    this.#state = response.status < 300 ? 'accepted' : 'completed'
    if (this.#state === 'completed') {
      this.#ack = this.#printed(ackOf(this.request, response))
      this.#send(this.#ack)
    }
    this.#wait(TRANSACTION_MS, () => this.end())
  }

  #repeat(milliseconds: number): void {
    this.#stopRepeating()
    this.#stopRepeating = this.#options.clock.after(milliseconds, () => {
      this.#send(this.#datagram)
      this.#repeat(this.#isInvite ? milliseconds * 2 : Math.min(T2, milliseconds * 2))
    })
  }

  #wait(milliseconds: number, run: () => void): void {
    this.#stopWaiting()
    this.#stopWaiting = this.#options.clock.after(milliseconds, run)
  }

  #send(datagram: Buffer | undefined): void {
    if (datagram) this.#options.send(datagram)
  }

  #printed(request: SipRequest): Buffer | undefined {
    try {
      return printMessage(request)
    } catch (error) {
      this.#options.onFault(error)
      return undefined
    }
  }

  #timeOut(): void {
    this.end()
    this.#options.onTimeout()
  }
}

/** What a request and its answers share: the branch and the method. */
export const keyOf = (headers: SipHeaders): string => `${branchOf(headers)} ${cseqOf(headers).method}`

/** A request of the same transaction as an INVITE: the ACK of a refusal, or a CANCEL (RFC 3261 17.1.1.3 and 9.1). */
function ofInvite(invite: SipRequest, method: 'ACK' | 'CANCEL', to: string): SipRequest {
  const via = invite.headers.first('via') ?? ''
  const headers = new SipHeaders([
    ['via', via],
    ['max-forwards', '70'],
    ...invite.headers.lines('route').map((route): [string, string] => ['route', route]),
    ['from', invite.headers.get('from') ?? ''],
    ['to', to],
    ['call-id', invite.headers.get('call-id') ?? ''],
    ['cseq', `${cseqOf(invite.headers).number} ${method}`],
  ])
  return { kind: 'request', method, uri: invite.uri, headers, body: '' }
}

const ackOf = (invite: SipRequest, response: SipResponse): SipRequest =>
  ofInvite(invite, 'ACK', response.headers.get('to') ?? '')

/** Takes an INVITE back that was not answered yet. */
export const cancelOf = (invite: SipRequest): SipRequest =>
  ofInvite(invite, 'CANCEL', invite.headers.get('to') ?? '')
