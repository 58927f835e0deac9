import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { type CarrierEvents, CarrierRefusal, type IncomingCall, type LegEnd } from '../carrier.js'
import { contactOf, Dialog, newToken, type OwnSide } from './dialog.js'
import { DialogLine } from './dialog-line.js'
import type { RtpPort } from './rtp-port.js'
import { type AudioOffer, EVENTS, parseSdp, printSdp, SDP_TYPE } from './sdp.js'
import type { ServerTransaction } from './server-transaction.js'
import { TIMER, timerAnswer } from './session-timer.js'
import type { SipAgent } from './sip-agent.js'
import { ALLOW, answering, SipCall } from './sip-call.js'
import type { SipAccount } from './sip-exchange.js'
import { answerTo, type SipRequest } from './sip-message.js'
import type { Peer } from './sip-socket.js'
import { parseNameAddress } from './sip-uri.js'
import type { Talker } from './talker.js'
import type { UnconfirmedCalls, UnconfirmedPlace } from './unconfirmed-calls.js'

/** How long the platform may think about a call, in milliseconds. */
const PATIENCE_MS = 15_000

export interface IncomingLegOptions {
  transaction: ServerTransaction
  /** Where it came from. */
  peer: Peer
  /** Who calls whom, and whether the trunk vouches for it; `from` is undefined where it is hidden or none. */
  parties: Omit<IncomingCall, 'id'>
  agent: SipAgent
  account: SipAccount | undefined
  unconfirmed: UnconfirmedCalls
  openRtp(): Promise<RtpPort>
  events: CarrierEvents
  clock: Clock
  logger: Logger
  /** The platform has taken the call, and this is its id there. */
  onTaken(callId: string): void
  /** The leg is over and can be forgotten. */
  onOver(): void
}

/** One call to us: an INVITE, and what becomes of it. What is taken is reported as answered once, and then as ended. */
export class IncomingLeg implements Talker {
  readonly #id = newToken()
  readonly #options: IncomingLegOptions
  readonly #leaveAgent: () => void
  readonly #stopTimer: () => void
  #callId: string | undefined
  #call: SipCall | undefined
  #place: UnconfirmedPlace | undefined
  /** The platform takes the call, has taken it, or thinks about it. */
  #isAsked = false
  #isAnswered = false
  #isOver = false
  readonly #over = new AbortController()

  constructor(options: IncomingLegOptions) {
    this.#options = options
    const { request } = options.transaction
    this.#leaveAgent = options.agent.join(request.headers.get('call-id') ?? '', this)
    this.#stopTimer = options.clock.after(PATIENCE_MS, () => this.#refuse(503, 'failed'))
  }

  /** To be asked once. The leg may be over when it returns: an offer that is none of ours is refused at once. */
  begin(): void {
    const { transaction, agent } = this.#options
    const { request } = transaction
    const extensions = request.headers.all('require').filter((name) => name.toLowerCase() !== 'timer')
    const offer = parseSdp(request.body)
    if (extensions.length > 0) this.#refuse(420, 'failed', [['unsupported', extensions.join(', ')]])
    else if (!offer) this.#refuse(488, 'failed')
    // Before anything is stored of it.
    else if (!Dialog.canAnswer(request)) this.#refuse(400, 'failed')
    else {
      transaction.provisional(answerTo(request, 100))
      this.#take(offer).catch((error: unknown) => {
        agent.faults.warn({ err: error, sipCallId: this.#id }, 'incoming sip call not taken')
        agent.faults.run(() => this.fail())
      })
    }
  }

  /** Ends the call. Idempotent. */
  hangUp(): void {
    if (this.#call) this.#call.hangUp()
    else this.#refuse(480, 'canceled')
  }

  fail(): void {
    if (this.#call) this.#call.fail()
    else this.#refuse(503, 'failed')
  }

  /** See `SipCall.transfer`. */
  async transfer(to: string): Promise<void> {
    if (!this.#call) throw new CarrierRefusal('not_answered', 'The call is not answered, or is over.')
    await this.#call.transfer(to)
  }

  owns({ headers }: SipRequest, from: Peer): boolean {
    const { transaction, peer } = this.#options
    return from.address === peer.address && headers.get('from') === transaction.request.headers.get('from')
  }

  /** Before the call is answered: its caller gives up, or the same INVITE came by another way. */
  receive(transaction: ServerTransaction): void {
    const { request } = transaction
    if (request.method !== 'CANCEL') {
      transaction.answer(answerTo(request, request.method === 'INVITE' ? 482 : 481))
      return
    }
    transaction.answer(answerTo(request, 200))
    this.#refuse(487, 'unconfirmed')
  }

  confirm(): void {}

  async #take(offer: AudioOffer): Promise<void> {
    const { events, parties, unconfirmed, openRtp, onTaken, logger } = this.#options
    if (this.#isOver) return
    this.#place = await unconfirmed.enter(this)
    // It waited, and its caller or we gave up.
    if (this.#isOver || !this.#place) return this.#place?.free()
    this.#isAsked = true
    const wait = { signal: this.#over.signal, onServerAsked: () => this.#place?.asking() }
    const answer = await events.onIncoming({ id: this.#id, ...parties }, wait)
    if ('refusal' in answer) {
      // What was stored keeps to the pace of those that nobody confirms.
      if (!answer.isStored) this.#place.free()
      return this.#refuse(480, 'failed')
    }
    this.#callId = answer.callId
    logger.info({ callId: answer.callId, sipCallId: this.#id }, 'sip call came in')
    // Who called has given up meanwhile.
    if (this.#isOver) return events.onEnded(answer.callId, 'unconfirmed')
    onTaken(answer.callId)
    const rtp = await openRtp()
    try {
      if (this.#isOver) rtp.close()
      else await this.#answer(answer.callId, offer, rtp)
    } catch (error) {
      rtp.close()
      throw error
    }
  }

  async #answer(callId: string, offer: AudioOffer, rtp: RtpPort): Promise<void> {
    const { transaction, peer, agent, account, events, clock, logger } = this.#options
    const { request } = transaction
    const address = await agent.ownAddress(peer)
    const dialog = Dialog.answering(address, request)
    if (!dialog || this.#isOver) {
      rtp.close()
      return this.#refuse(400, 'failed')
    }
    this.#stopTimer()
    const own = answering(
      {
        address: address.host,
        port: rtp.port,
        events: EVENTS,
        direction: 'sendrecv',
        session: clock.now(),
        version: 0,
      },
      offer,
    )
    const headers = [
      contactOf(dialog.own),
      ALLOW,
      TIMER,
      ...timerAnswer(request.headers),
      ['content-type', SDP_TYPE] as const,
    ]
    const answer = answerTo(request, 200, { toTag: tagOf(dialog.own), headers, body: printSdp(own) })
    const call = new SipCall({
      ...{ callId, dialog, agent, rtp, own, remote: offer, clock, logger, invite: transaction },
      time: { headers: answer.headers, role: 'uas' },
      line: new DialogLine({ dialog, agent, account, peer, logger }),
      onConfirmed: () => {
        this.#isAnswered = true
        this.#place?.free()
        void events.onPickedUp?.(callId)
        events.onAnswered(callId, call.link)
      },
      onEnd: (end) => {
        rtp.close()
        this.#end(end === 'hung-up' && !this.#isAnswered ? 'unconfirmed' : end)
      },
    })
    this.#call = call
    transaction.answer(answer)
    this.#place?.answered()
  }

  /** Says no to a call that was not answered. */
  #refuse(status: number, end: LegEnd, headers: Array<[string, string]> = []): void {
    if (this.#isOver || this.#call) return
    const { transaction, agent } = this.#options
    transaction.answer(answerTo(transaction.request, status, { toTag: newToken(), headers }))
    // Anybody can send these in the trunk's name.
    agent.faults.info({ status, sipCallId: this.#id }, 'incoming sip call refused')
    // A call that was taken counts for its caller's limits only where somebody has shown that it was real.
    this.#end(end === 'failed' ? 'unconfirmed' : end)
  }

  #end(end: LegEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#over.abort()
    this.#stopTimer()
    this.#leaveAgent()
    this.#options.unconfirmed.withdraw(this)
    if (this.#isAsked && !this.#isAnswered) this.#place?.end()
    else this.#place?.free()
    this.#options.onOver()
    if (this.#callId !== undefined) this.#options.events.onEnded(this.#callId, end)
  }
}

const tagOf = ({ from }: OwnSide) => parseNameAddress(from).tag ?? ''
