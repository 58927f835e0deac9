import type { ClientTransaction } from './client-transaction.js'
import { authorization, chooseChallenge } from './digest.js'
import type { SipAgent } from './sip-agent.js'
import type { SipRequest, SipResponse } from './sip-message.js'
import type { Peer } from './sip-socket.js'

/** Who we are for a proxy that asks. */
export interface SipAccount {
  user: string
  password: string
}

/** Most challenges that one request answers: of a proxy, of the phone behind it, and one for a nonce that is too old. */
const CHALLENGES_MOST = 3

export interface SipExchangeOptions {
  agent: SipAgent
  peer: Peer
  account: SipAccount | undefined
  /** Makes the request, each time with a branch and a `CSeq` number of its own, and with these headers. */
  make(headers: Array<[string, string]>): SipRequest
  /** Every answer but a challenge that we meet. */
  onResponse(response: SipResponse): void
  onTimeout(): void
}

/** A request with its answers. It proves who we are where it is asked to: 401 and 407 (RFC 3261 22). */
export class SipExchange {
  readonly #options: SipExchangeOptions
  readonly #proofs = new Map<string, { header: [string, string] }>()
  #challenges = 0
  #isGivenUp = false
  #transaction: ClientTransaction

  constructor(options: SipExchangeOptions) {
    this.#options = options
    this.#transaction = this.#ask()
  }

  /** The request that is under way, or was last. */
  get transaction(): ClientTransaction {
    return this.#transaction
  }

  /** Nobody wants the request any more: it is not sent anew. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  #ask(): ClientTransaction {
    const { agent, peer, make, onTimeout } = this.#options
    const headers = [...this.#proofs.values()].map(({ header }) => header)
    return agent.ask(make(headers), peer, {
      onResponse: (response) => {
        if (this.#prove(response)) this.#transaction = this.#ask()
        else this.#options.onResponse(response)
      },
      onTimeout,
    })
  }

  /** Whether the response is a challenge that we can meet, and have not met in vain. */
  #prove({ status, headers }: SipResponse): boolean {
    const { account } = this.#options
    if (
      this.#isGivenUp ||
      !account ||
      (status !== 401 && status !== 407) ||
      this.#challenges >= CHALLENGES_MOST
    )
      return false
    const asked = status === 401 ? 'www-authenticate' : 'proxy-authenticate'
    const challenge = chooseChallenge(headers.lines(asked))
    if (!challenge) return false
    const place = `${status} ${challenge.realm}`
    if (this.#proofs.has(place) && !challenge.stale) return false
    this.#challenges += 1
    const { method, uri } = this.#transaction.request
    const proof = authorization(challenge, { ...account, method, uri })
    this.#proofs.set(place, {
      header: [status === 401 ? 'authorization' : 'proxy-authorization', proof],
    })
    return true
  }
}
