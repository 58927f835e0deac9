import type { Clock } from '@heyline/kit/clock'
import { T1, T2, T4, TRANSACTION_MS } from './client-transaction.js'
import type { SipHeaders } from './sip-headers.js'
import { branchOf, cseqOf, printMessage, type SipRequest, type SipResponse, sentByOf } from './sip-message.js'
import type { Peer } from './sip-socket.js'

export interface ServerTransactionOptions {
  request: SipRequest
  clock: Clock
  send(datagram: Buffer): void
  /** Nothing is repeated any more. */
  onOver(): void
  /** An answer cannot be printed: the transaction is over, and so its call has to be. */
  onFault(error: unknown): void
}

/**
 * A request that we got, until it is over: RFC 3261 17.2 over UDP. A repeated request gets the same answer. The answer to an INVITE is
 * repeated until its ACK comes. A refusal that was the first word about it is not: until a word comes, whoever calls repeats the INVITE
 * (17.1.1.2 and 8.2.7). So whoever makes INVITEs up has one refusal sent for each.
 */
export class ServerTransaction {
  readonly request: SipRequest
  /** The ACK of a 2xx has not come in time. */
  onUnconfirmed = (): void => {}
  readonly #options: ServerTransactionOptions
  #answer: Buffer | undefined
  /** Whoever calls repeats the INVITE no more. */
  #isHeardOf = false
  #isFinal = false
  #isRefused = false
  #isConfirmed = false
  #isOver = false
  #stopRepeating = () => {}
  #stopWaiting: () => void

  constructor(options: ServerTransactionOptions) {
    this.#options = options
    this.request = options.request
    this.#stopWaiting = options.clock.after(TRANSACTION_MS, () => this.end())
  }

  /** Its ACK came too late, or not at all. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Says that the final answer is still to come. */
  provisional(response: SipResponse): void {
    if (this.#isFinal || this.#isOver) return
    this.#isHeardOf = true
    this.#send(response)
  }

  answer(response: SipResponse): void {
    if (this.#isFinal || this.#isOver) return
    this.#isFinal = true
    this.#isRefused = response.status >= 300
    this.#send(response)
    if (this.request.method !== 'INVITE' || this.#isOver) return
    if (this.#isHeardOf || !this.#isRefused) this.#repeat(T1)
    this.#stopWaiting()
    this.#stopWaiting = this.#options.clock.after(TRANSACTION_MS, () => {
      this.end()
      if (!this.#isConfirmed && !this.#isRefused) this.onUnconfirmed()
    })
  }

  /** The same request came again. */
  again(): void {
    if (this.#answer) this.#options.send(this.#answer)
  }

  /** An ACK with the branch of the INVITE came: that is one of a refusal. Anybody knows the branch who has made up the INVITE. */
  confirmRefusal(): void {
    if (!this.#isRefused || this.#isConfirmed || this.#isOver) return
    this.confirm()
    // Timer I: as long as another ACK may still be under way.
    this.#stopWaiting()
    this.#stopWaiting = this.#options.clock.after(T4, () => this.end())
  }

  /** The ACK of our answer came. */
  confirm(): void {
    this.#isConfirmed = true
    this.#stopRepeating()
  }

  /** Idempotent. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopRepeating()
    this.#stopWaiting()
    this.#options.onOver()
  }

  #send(response: SipResponse): void {
    try {
      this.#answer = printMessage(response)
    } catch (error) {
      this.end()
      this.#options.onFault(error)
      return
    }
    this.#options.send(this.#answer)
  }

  #repeat(milliseconds: number): void {
    this.#stopRepeating = this.#options.clock.after(milliseconds, () => {
      this.again()
      this.#repeat(Math.min(T2, milliseconds * 2))
    })
  }
}

/**
 * What a request and its repetitions share (RFC 3261 17.2.3): the branch, who has sent it, and the method. An ACK of a refusal has that of its
 * INVITE. Where it comes from counts, too: anybody may write the rest.
 */
export function visitKeyOf(headers: SipHeaders, { address }: Peer): string {
  const { method } = cseqOf(headers)
  return [branchOf(headers), sentByOf(headers), address, method === 'ACK' ? 'INVITE' : method].join(' ')
}
