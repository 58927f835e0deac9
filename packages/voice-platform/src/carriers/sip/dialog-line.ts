import type { Logger } from 'pino'
import type { Dialog, HeaderLines } from './dialog.js'
import type { SipAgent } from './sip-agent.js'
import { type SipAccount, SipExchange } from './sip-exchange.js'
import type { SipRequest, SipResponse } from './sip-message.js'
import { type Peer, resolvePeer } from './sip-socket.js'

export interface DialogLineOptions {
  dialog: Dialog
  /** The number of our INVITE that made the dialog; undefined where it was theirs. */
  cseq?: number
  agent: SipAgent
  account: SipAccount | undefined
  /** Where the INVITE was sent, or came from. */
  peer: Peer
  logger: Logger
}

export interface DialogQuestion {
  headers?: HeaderLines
  body?: string
  onResponse(response: SipResponse): void
  onTimeout(): void
}

/** The way from us to the other side of a dialog. */
export class DialogLine {
  readonly #options: DialogLineOptions
  readonly #ack: SipRequest | undefined
  /** Addresses from which requests of this dialog may come. */
  readonly #addresses: Set<string>
  /** The other side has shown that it gets what we send. */
  #isConfirmed = false
  /** Its `Contact` leads nowhere. */
  #isLost = false
  #forget: Array<() => void> = []

  constructor(options: DialogLineOptions) {
    this.#options = options
    this.#ack = options.cseq === undefined ? undefined : options.dialog.ack(options.cseq)
    this.#addresses = new Set([options.peer.address])
    this.#forget.push(options.agent.know(options.peer.address))
    if (this.#ack) this.confirm()
  }

  get addresses(): ReadonlySet<string> {
    return this.#addresses
  }

  /**
   * Finds the next hop, from which requests may come as well, and sends it the ACK of an answer to our INVITE: at first and whenever the
   * answer comes again. Where the INVITE was theirs, that waits for their ACK. An INVITE may come in another's name and lead anywhere, so
   * until then all goes to where it came from.
   */
  confirm(): void {
    this.#isConfirmed = true
    const ack = this.#ack
    this.#toPeer((peer) => {
      if (ack) this.#options.agent.tell(ack, peer)
    })
  }

  /** Sends the ACK of an answer to a later INVITE of ours. */
  acknowledge(cseq: number): void {
    const ack = this.#options.dialog.ack(cseq)
    this.#toPeer((peer) => this.#options.agent.tell(ack, peer))
  }

  /** Asks the other side something. A request that can't be sent counts as one that nobody answers. */
  ask(method: string, { headers = [], body, ...handlers }: DialogQuestion): void {
    const { agent, account, dialog } = this.#options
    const make = (proofs: HeaderLines) => dialog.request(method, [...proofs, ...headers], body)
    this.#toPeer((peer) => new SipExchange({ agent, peer, account, make, ...handlers }), handlers.onTimeout)
  }

  /** Ends the call. What is answered does not matter. */
  bye(): void {
    this.ask('BYE', { onResponse: () => {}, onTimeout: () => {} })
    this.leave()
  }

  /** Requests of the dialog come in no more. Idempotent. */
  leave(): void {
    for (const forget of this.#forget.splice(0)) forget()
  }

  #toPeer(send: (peer: Peer) => void, failed = () => {}): void {
    const { agent, logger } = this.#options
    const sending = this.#nextPeer()
      .then((peer) => {
        if (!this.#addresses.has(peer.address) && this.#forget.length > 0) {
          this.#addresses.add(peer.address)
          this.#forget.push(agent.know(peer.address))
        }
        send(peer)
      })
      .catch((error: unknown) => {
        // Once: the phone has us look as often as it repeats its answer.
        if (!this.#isLost) logger.warn({ err: error }, 'sip phone not found: its Contact leads nowhere')
        this.#isLost = true
        agent.faults.run(failed)
      })
    void agent.prepare(sending)
  }

  async #nextPeer(): Promise<Peer> {
    const { dialog, peer } = this.#options
    if (!this.#isConfirmed) return peer
    const { host, port } = dialog.nextHop
    return await resolvePeer(host, port, peer.address)
  }
}
