import type { Clock } from '@heyline/kit/clock'
import { CarrierRefusal } from '../carrier.js'
import type { DialogLine } from './dialog-line.js'
import type { SipRequest } from './sip-message.js'

/** How long a transfer may take, from our word to somebody's answer, in milliseconds. */
const PATIENCE_MS = 60_000

export interface ReferOptions {
  /** The address that the phone is to call. */
  to: string
  /** Who asks for it: `From` of our side, with its tag. */
  by: string
  line: DialogLine
  clock: Clock
}

/**
 * Asks the other side of a call to call somebody else (REFER, RFC 3515), and follows what it tells of that (NOTIFY, with the status of
 * its new call as `message/sipfrag`).
 */
export class Refer {
  /**
   * Resolves once somebody has answered there, or the other side has hung up on us after it took the task. Rejects with a
   * `CarrierRefusal` where the call surely goes on as before, and with any other error where nobody knows.
   */
  readonly done: Promise<void>
  #settle: { resolve(): void; reject(error: Error): void } | undefined
  #isAccepted = false
  readonly #stopTimer: () => void

  constructor({ to, by, line, clock }: ReferOptions) {
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    this.#stopTimer = clock.after(PATIENCE_MS, () =>
      this.#fail(new Error('Nobody has told what became of the transfer.')),
    )
    line.ask('REFER', {
      headers: [
        ['refer-to', `<${to}>`],
        ['referred-by', by.replace(/;[ \t]*tag=[^;>]*$/i, '')],
      ],
      onResponse: ({ status }) => {
        if (status >= 300) this.#refuse(status)
        else if (status >= 200) this.#isAccepted = true
      },
      onTimeout: () => this.#fail(new Error('The phone has not answered to the transfer.')),
    })
  }

  /** News of the new call. Returns the status that answers it. */
  notified({ headers, body }: SipRequest): number {
    if (!/^refer[ \t]*(;|$)/i.test(headers.get('event') ?? '')) return 489
    const [, status] = /^SIP\/2\.0 ([1-6]\d\d)/.exec(body.trimStart()) ?? []
    const isLast = /^terminated/i.test(headers.get('subscription-state') ?? '')
    this.#isAccepted = true
    if (status !== undefined && Number(status) >= 300) this.#refuse(Number(status))
    else if (status !== undefined && Number(status) >= 200) this.#resolve()
    else if (isLast) this.#fail(new Error('The phone tells no more of the transfer.'))
    return 200
  }

  /** Our call is over. */
  over(): void {
    if (this.#isAccepted) this.#resolve()
    else this.#fail(new Error('The call ended before it was transferred.'))
  }

  #resolve(): void {
    this.#take()?.resolve()
  }

  #refuse(status: number): void {
    this.#fail(new CarrierRefusal(`sip-${status}`, `The call was not transferred (${status}).`))
  }

  #fail(error: Error): void {
    this.#take()?.reject(error)
  }

  #take() {
    const settle = this.#settle
    this.#settle = undefined
    this.#stopTimer()
    return settle
  }
}
