import type { Clock } from '@heyline/kit/clock'
import { T1, T2, T4, TRANSACTION_MS } from './client-transaction.js'
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
  /** The ACK of a 2xx has not come in time. */
  onUnconfirmed = (): void => {}
  readonly #options: ServerTransactionOptions
  #answer: Buffer | undefined
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
    this.#answer = printMessage(response)
    this.#options.send(this.#answer)
  }

  answer(response: SipResponse): void {
    if (this.#isFinal || this.#isOver) return
    this.#isFinal = true
    this.#isRefused = response.status >= 300
    this.#answer = printMessage(response)
    this.#options.send(this.#answer)
    if (this.request.method !== 'INVITE') return
    this.#repeat(T1)
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
