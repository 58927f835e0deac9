import type { Clock } from '@heyline/kit/clock'
import { T1, T2, TRANSACTION_MS } from './client-transaction.js'
import { printMessage, type SipRequest, type SipResponse } from './sip-message.js'

export interface ServerTransactionOptions {
  request: SipRequest
  clock: Clock
  send(datagram: Buffer): void
  /** Nothing is repeated any more. */
  onOver(): void
}

/**
 * A request that we got, until it is over: RFC 3261 17.2 over UDP. A repeated request gets the same answer. The answer to an INVITE is
 * repeated until its ACK comes.
 */
export class ServerTransaction {
  readonly request: SipRequest
  readonly #options: ServerTransactionOptions
  #answer: Buffer | undefined
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

  answer(response: SipResponse): void {
    if (this.#answer) return
    this.#answer = printMessage(response)
    this.#options.send(this.#answer)
    if (this.request.method === 'INVITE') this.#repeat(T1)
  }

  /** The same request came again. */
  again(): void {
    if (this.#answer) this.#options.send(this.#answer)
  }

  /** The ACK of our answer came. */
  confirm(): void {
    this.#stopRepeating()
  }

  /** Idempotent. */
  end(): void {
    this.#isOver = true
    this.#stopRepeating()
    this.#stopWaiting()
    this.#options.onOver()
  }

  #repeat(milliseconds: number): void {
    this.#stopRepeating = this.#options.clock.after(milliseconds, () => {
      this.again()
      this.#repeat(Math.min(T2, milliseconds * 2))
    })
  }
}
