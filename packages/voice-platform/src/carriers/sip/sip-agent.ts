import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { ClientTransaction, type ClientTransactionOptions, keyOf } from './client-transaction.js'
import { newToken } from './dialog.js'
import { Quiet } from './quiet.js'
import { ServerTransaction, visitKeyOf } from './server-transaction.js'
import { SipFaults } from './sip-faults.js'
import { glanceAt } from './sip-glance.js'
import {
  answerTo,
  MESSAGE_MOST,
  parseMessage,
  printMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from './sip-message.js'
import { SipPeers } from './sip-peers.js'
import { type Peer, SipSocket } from './sip-socket.js'
import { parseNameAddress } from './sip-uri.js'
import { StrangerRefusals } from './stranger-refusals.js'
import type { Reception, Talker } from './talker.js'

/** Most requests of one call that are remembered to be answered alike when they come again. */
const REQUESTS_MOST = 64
/** Most calls to us that are remembered to be answered alike: until 5 s after the ACK of a refusal, else half a minute after the answer. */
const VISITS_MOST = 256

export interface SipAgentOptions {
  host: string
  port: number
  clock: Clock
  logger: Logger
}

/**
 * One SIP user agent: a UDP socket, and the requests that go out and come in by it. What does not belong to a call of ours gets one
 * short refusal for each address and second, and nothing is kept of it.
 */
export class SipAgent {
  /** Guards all that sockets and timers call. */
  readonly faults: SipFaults
  readonly #options: SipAgentOptions
  readonly #socket: SipSocket
  readonly #asked = new Map<string, { transaction: ClientTransaction; peer: Peer }>()
  readonly #answered = new Map<string, ServerTransaction>()
  readonly #talkers = new Map<string, { talker: Talker; requests: number }>()
  readonly #peers: SipPeers
  readonly #refusals: StrangerRefusals
  #reception: Reception | undefined
  /** INVITEs for the reception that are remembered. */
  #visits = 0
  #opening: Promise<void> | undefined
  readonly #quiet = new Quiet({ isBusy: () => this.#isBusy(), clock: () => this.faults.clock() })
  /** Requests whose way is being looked for. */
  #starting = 0

  constructor(options: SipAgentOptions) {
    this.#options = options
    const { host, port, clock, logger } = options
    this.faults = new SipFaults({ clock, logger })
    this.#peers = new SipPeers(clock)
    this.#refusals = new StrangerRefusals(clock)
    this.#socket = new SipSocket({
      host,
      port,
      logger,
      faults: this.faults,
      onDatagram: (datagram, from) => this.#receive(datagram, from),
    })
  }

  /** The address of ours that it listens on. */
  get host(): string {
    return this.#options.host
  }

  get isOpen(): boolean {
    return this.#socket.isOpen
  }

  /** Rejects where the address is taken, or not of this machine. */
  open(): Promise<void> {
    this.#opening ??= this.#socket.open().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** The host and port of ours that this peer answers to. */
  async ownAddress(peer: Peer): Promise<{ host: string; port: number }> {
    return { host: await this.#socket.addressFor(peer), port: this.#socket.port }
  }

  /** Sends a request, again and again until it is answered. */
  ask(
    request: SipRequest,
    peer: Peer,
    handlers: Pick<ClientTransactionOptions, 'onResponse' | 'onTimeout'>,
  ): ClientTransaction {
    const forget = this.know(peer.address)
    const leave = this.#peers.stand(request.headers.get('call-id') ?? '')
    const { faults } = this
    const onTimeout = faults.guard(() => handlers.onTimeout())
    // An answer that cannot be handled counts as none.
    const failed = () => {
      transaction.end()
      onTimeout()
    }
    const transaction: ClientTransaction = new ClientTransaction({
      request,
      clock: faults.clock(failed),
      send: (datagram) => this.#socket.send(datagram, peer),
      onResponse: faults.guard((response) => handlers.onResponse(response), failed),
      onTimeout,
      onFault: (error) => faults.error({ err: error }, 'a sip request cannot be written'),
      onOver: () => {
        this.#asked.delete(transaction.key)
        forget()
        leave()
        this.#quiet.look()
      },
    })
    this.#asked.set(transaction.key, { transaction, peer })
    transaction.start()
    return transaction
  }

  /** Counts as busy until this is done. */
  async prepare(work: Promise<void>): Promise<void> {
    this.#starting += 1
    await work
    this.#starting -= 1
    this.#quiet.look()
  }

  /** Sends what nobody answers: the ACK of a 2xx. */
  tell(request: SipRequest, peer: Peer): void {
    this.#send(request, peer)
  }

  /** Gives the requests of a call to this talker, until the returned function is called. */
  join(callId: string, talker: Talker): () => void {
    const entry = { talker, requests: 0 }
    const leave = this.#peers.stand(callId)
    this.#talkers.set(callId, entry)
    return () => {
      leave()
      if (this.#talkers.get(callId) === entry) this.#talkers.delete(callId)
    }
  }

  /** Calls come in, too. */
  receiveAt(reception: Reception): void {
    this.#reception = reception
  }

  /** Lets messages of this address in as those of a peer, until the returned function is called. */
  know(address: string): () => void {
    return this.#peers.know(address)
  }

  /** Resolves when every request of ours has its final answer, or after this many milliseconds. */
  quiet(milliseconds: number): Promise<void> {
    return this.#quiet.within(milliseconds)
  }

  /** Gives its address back: it sends and reads nothing until it is opened again. Whoever waits for an answer waits no more. */
  rest(): void {
    this.#socket.close()
    this.#opening = undefined
    for (const { transaction } of this.#asked.values()) transaction.giveUpIn(0)
    for (const transaction of [...this.#answered.values()]) transaction.end()
  }

  /** Sends and reads nothing more. Idempotent. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => {})
    for (const { transaction } of [...this.#asked.values()]) transaction.end()
    for (const transaction of [...this.#answered.values()]) transaction.end()
    this.#talkers.clear()
    this.#socket.close()
    this.faults.close()
  }

  #isBusy(): boolean {
    return this.#starting > 0 || [...this.#asked.values()].some(({ transaction }) => transaction.isUnanswered)
  }

  #receive(datagram: Buffer, from: Peer): void {
    if (datagram.length > MESSAGE_MOST) return
    if (!this.#peers.spend(from.address, () => glanceAt(datagram))) return
    const message = parseMessage(datagram)
    if (typeof message === 'string') {
      if (this.#peers.has(from.address)) this.#options.logger.debug(`a message of the sip peer ${message}`)
    } else if (message.kind === 'response') this.#respond(message, from)
    else this.#request(message, from)
  }

  #respond(response: SipResponse, from: Peer): void {
    const asked = this.#asked.get(keyOf(response.headers))
    if (asked?.peer.address !== from.address) return
    asked.transaction.receive(response)
    this.#quiet.look()
  }

  #request(request: SipRequest, from: Peer): void {
    // The same request once more: it gets the same answer, also when its call is over by now.
    const before =
      request.method === 'ACK' ? undefined : this.#answered.get(visitKeyOf(request.headers, from))
    const entry = this.#talkers.get(request.headers.get('call-id') ?? '')
    if (before) before.again()
    else if (request.method === 'ACK') this.#confirm(request, entry?.talker, from)
    else if (entry?.talker.owns(request, from)) this.#pass(request, entry, from)
    else if (entry || !this.#reception?.admits(from.address)) this.#refuse(request, from)
    else this.#visit(request, this.#reception, from)
  }

  #confirm(ack: SipRequest, talker: Talker | undefined, from: Peer): void {
    this.#answered.get(visitKeyOf(ack.headers, from))?.confirmRefusal()
    if (!talker?.owns(ack, from)) return
    this.faults.run(
      () => talker.confirm(ack),
      () => talker.fail(),
    )
  }

  /** Somebody whom we know asks for something outside of any call. */
  #visit(request: SipRequest, reception: Reception, from: Peer): void {
    const isNew = parseNameAddress(request.headers.get('to') ?? '').tag === undefined
    if (request.method === 'OPTIONS' && isNew) this.#send(answerTo(request, 200), from)
    else if (request.method !== 'INVITE' || !isNew) this.#refuse(request, from)
    else if (this.#visits >= VISITS_MOST) this.#send(answerTo(request, 503, { toTag: newToken() }), from)
    else {
      this.#visits += 1
      const transaction = this.#answer(request, from, () => {
        this.#visits -= 1
      })
      this.faults.run(
        () => reception.receive(transaction, from),
        () => transaction.answer(answerTo(request, 503, { toTag: newToken() })),
      )
    }
  }

  /** Gives a request to the call that it belongs to. */
  #pass(request: SipRequest, call: { talker: Talker; requests: number }, from: Peer): void {
    // What ends a call is bounded by the budget of its steps.
    if (call.requests >= REQUESTS_MOST && request.method !== 'BYE' && request.method !== 'CANCEL') return
    call.requests += 1
    const transaction = this.#answer(request, from, () => {
      call.requests -= 1
    })
    this.faults.run(
      () => call.talker.receive(transaction),
      () => call.talker.fail(),
    )
  }

  /** Remembers a request until its answer needs no repeating. */
  #answer(request: SipRequest, from: Peer, onOver: () => void): ServerTransaction {
    const { faults } = this
    const key = visitKeyOf(request.headers, from)
    const fail = () => this.#talkers.get(request.headers.get('call-id') ?? '')?.talker.fail()
    const transaction: ServerTransaction = new ServerTransaction({
      request,
      clock: faults.clock(() => {
        transaction.end()
        fail()
      }),
      send: (answer) => this.#socket.send(answer, from),
      onFault(error) {
        faults.error({ err: error }, 'an answer by SIP cannot be written')
        faults.run(fail)
      },
      onOver: () => {
        onOver()
        this.#answered.delete(key)
      },
    })
    this.#answered.set(key, transaction)
    return transaction
  }

  #refuse(request: SipRequest, from: Peer): void {
    if (request.method === 'ACK' || !this.#refusals.spend(from.address)) return
    const isOfCall =
      request.method === 'CANCEL' || parseNameAddress(request.headers.get('to') ?? '').tag !== undefined
    this.#send(answerTo(request, isOfCall ? 481 : 403), from)
  }

  /** What cannot be printed is not sent. */
  #send(message: SipMessage, to: Peer): void {
    this.faults.run(() => this.#socket.send(printMessage(message), to))
  }
}
