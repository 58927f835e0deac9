import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { CarrierRefusal, type LegEnd } from '../carrier.js'
import { contactOf, type Dialog } from './dialog.js'
import type { DialogLine } from './dialog-line.js'
import { Refer } from './refer.js'
import type { RtpPort } from './rtp-port.js'
import { ANSWERED, type AudioOffer, EVENTS, type OwnAudio, parseSdp, printSdp, SDP_TYPE } from './sdp.js'
import type { ServerTransaction } from './server-transaction.js'
import { SessionTimer, TIMER, timerAnswer } from './session-timer.js'
import type { SipAgent } from './sip-agent.js'
import type { SipHeaders } from './sip-headers.js'
import { SipLink } from './sip-link.js'
import { answerTo, cseqOf, type SipRequest, type SipResponse } from './sip-message.js'
import type { Peer } from './sip-socket.js'
import type { Talker } from './talker.js'

/** How long nothing may be heard before the other side is asked whether it still is there, in milliseconds. */
const SILENT_MS = 30_000

/** What we take in a call. */
export const ALLOW: [string, string] = ['allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, NOTIFY, UPDATE']
const SDP: [string, string] = ['content-type', SDP_TYPE]

export interface SipCallOptions {
  callId: string
  dialog: Dialog
  line: DialogLine
  agent: SipAgent
  rtp: RtpPort
  /** What we offered. */
  own: OwnAudio
  /** What they answered, or offered. */
  remote: AudioOffer
  /** What the 2xx says of the call's time, and whose request it answers: ours (`uac`) or theirs. */
  time: { headers: SipHeaders; role: 'uac' | 'uas' }
  clock: Clock
  logger: Logger
  /** Their INVITE, which was answered and waits for its ACK; undefined where it was ours. */
  invite?: ServerTransaction
  /** The ACK of their INVITE has come. */
  onConfirmed?(): void
  /** The call is over: hung up by whomever, or failed. */
  onEnd(end: Extract<LegEnd, 'hung-up' | 'failed'>): void
}

/** A call that was answered: its dialog and its audio. */
export class SipCall implements Talker {
  readonly link: SipLink
  readonly #options: SipCallOptions
  readonly #leaveAgent: () => void
  readonly #timer: SessionTimer
  #own: OwnAudio
  /** An INVITE of ours is under way. */
  #isChanging = false
  #pending: ServerTransaction | undefined
  #refer: Refer | undefined
  #isOver = false
  #stopWatch = () => {}

  constructor(options: SipCallOptions) {
    const { rtp, remote, line, clock, logger } = options
    this.#options = options
    this.#own = options.own
    this.#pending = options.invite
    if (options.invite) options.invite.onUnconfirmed = () => this.hangUp()
    this.link = new SipLink({
      rtp,
      remote,
      events: options.own.events,
      peers: line.addresses,
      clock,
      logger,
      onClose: () => this.hangUp(),
      onFault: () => this.fail(),
    })
    this.#timer = new SessionTimer({
      clock,
      refresh: (seconds) => this.#refresh(seconds),
      expire: () => this.#lose(),
    })
    this.#timer.follow(options.time.headers, options.time.role)
    this.#leaveAgent = options.agent.join(options.dialog.callId, this)
  }

  /** Idempotent. */
  hangUp(): void {
    if (this.#isOver) return
    this.#options.line.bye()
    this.#end(() => this.link.close())
  }

  fail(): void {
    if (this.#isOver) return
    this.#options.line.bye()
    this.#end(() => this.link.lose(), 'failed')
  }

  /**
   * Has the phone call this address instead (REFER). Resolves once somebody has answered there: then our call ends. Rejects with a
   * `CarrierRefusal` where it surely goes on, and with any other error where nobody knows.
   */
  async transfer(to: string): Promise<void> {
    if (this.#isOver || this.#refer)
      throw new CarrierRefusal('sip-over', 'The call is over, or is being transferred.')
    const { line, clock, dialog } = this.#options
    const refer = new Refer({ to, by: dialog.own.from, line, clock })
    this.#refer = refer
    try {
      await refer.done
      if (this.#isOver) return
      line.bye()
      this.#end(() => this.link.leave())
    } finally {
      this.#refer = undefined
    }
  }

  owns(request: SipRequest, from: Peer): boolean {
    return this.#options.line.addresses.has(from.address) && this.#options.dialog.owns(request)
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction
    if (!this.#options.dialog.follow(request)) transaction.answer(answerTo(request, 500))
    else if (request.method === 'BYE') {
      transaction.answer(answerTo(request, 200))
      this.#options.line.leave()
      this.#end(() => this.link.leave())
    } else if (request.method === 'INVITE' || request.method === 'UPDATE') this.#change(transaction)
    else if (request.method === 'NOTIFY')
      transaction.answer(answerTo(request, this.#refer?.notified(request) ?? 481))
    else if (request.method === 'OPTIONS') transaction.answer(answerTo(request, 200, { headers: [ALLOW] }))
    else transaction.answer(answerTo(request, 405, { headers: [ALLOW] }))
  }

  confirm(ack: SipRequest): void {
    const pending = this.#pending
    if (!pending || cseqOf(ack.headers).number !== cseqOf(pending.request.headers).number) return
    this.#pending = undefined
    pending.confirm()
    if (pending === this.#options.invite) {
      this.#options.line.confirm()
      this.begin()
      this.#options.onConfirmed?.()
    }
    // An INVITE without an offer is answered with ours, and its ACK brings theirs.
    const answer = pending.request.body === '' ? parseSdp(ack.body) : undefined
    if (answer) this.link.follow(answer, this.#own.events)
  }

  /**
   * To be asked once, where the INVITE was ours: both sides have shown that they get what the other sends. Where it was theirs, that waits for its
   * ACK, and nothing goes to where it leads before.
   */
  begin(): void {
    this.link.begin()
    this.#watch()
  }

  /** The other side wants other audio (another address, or the call on hold), or shows that the call goes on. */
  #change(transaction: ServerTransaction): void {
    const { request } = transaction
    const isInvite = request.method === 'INVITE'
    const offer = request.body === '' ? undefined : parseSdp(request.body)
    if (this.#isChanging || (this.#pending && !this.#pending.isOver))
      transaction.answer(answerTo(request, 491))
    else if (request.body !== '' && !offer) transaction.answer(answerTo(request, 488))
    else {
      if (isInvite) this.#pending = transaction
      if (isInvite || offer) this.#own = answering(this.#own, offer)
      if (offer) this.link.follow(offer, this.#own.events)
      const headers = [contactOf(this.#options.dialog.own), ALLOW, TIMER, ...timerAnswer(request.headers)]
      const body = isInvite || offer ? printSdp(this.#own) : ''
      const answer = answerTo(request, 200, { headers: body ? [...headers, SDP] : headers, body })
      this.#timer.follow(answer.headers, 'uas')
      transaction.answer(answer)
    }
  }

  /** Shows that the call goes on: the same audio once more. */
  #refresh(seconds: number): void {
    const { line, dialog } = this.#options
    this.#isChanging = true
    line.ask('INVITE', {
      headers: [contactOf(dialog.own), ALLOW, TIMER, ['session-expires', `${seconds};refresher=uac`], SDP],
      body: printSdp(this.#own),
      onResponse: (response) => this.#refreshed(response, seconds),
      onTimeout: () => this.#lose(),
    })
  }

  #refreshed({ status, headers, body }: SipResponse, seconds: number): void {
    if (status < 200) return
    if (status < 300) this.#options.line.acknowledge(cseqOf(headers).number)
    if (this.#isOver || !this.#isChanging) return
    this.#isChanging = false
    if (isGone(status)) this.#lose()
    else if (status === 491) this.#timer.again(seconds)
    else if (status < 300) {
      this.#timer.follow(headers, 'uac')
      const remote = parseSdp(body)
      if (remote) this.link.follow(remote, this.#own.events)
    }
  }

  /** A phone that was switched off says nothing. So whoever is silent for long is asked, and hung up when nobody answers. */
  #watch(): void {
    this.#stopWatch = this.#options.clock.after(SILENT_MS, () => {
      if (this.link.silentMs >= SILENT_MS) this.#ask()
      else this.#watch()
    })
  }

  #ask(): void {
    this.#options.line.ask('OPTIONS', {
      onResponse: ({ status }) => {
        if (status < 200 || this.#isOver) return
        if (isGone(status)) this.#lose()
        else this.#watch()
      },
      onTimeout: () => this.#lose(),
    })
  }

  #lose(): void {
    if (this.#isOver) return
    this.#options.logger.warn({ callId: this.#options.callId }, 'sip phone answers no more: its call ends')
    this.#options.line.bye()
    this.#end(() => this.link.lose())
  }

  #end(endLink: () => void, end: 'hung-up' | 'failed' = 'hung-up'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopWatch()
    this.#timer.end()
    this.#leaveAgent()
    const { onEnd, agent } = this.#options
    try {
      this.#refer?.over()
      endLink()
    } finally {
      // Whoever waits for a transfer hears of it before the end of the call.
      if (this.#refer) setImmediate(agent.faults.guard(() => onEnd(end)))
      else onEnd(end)
    }
  }
}

/** The other side knows nothing of the call. */
const isGone = (status: number) => status === 408 || status === 481

/** Our audio as an answer to an offer; without one it is an offer of ours. */
export function answering({ others: known, ...own }: OwnAudio, offer: AudioOffer | undefined): OwnAudio {
  const others = offer ? offer.others : known
  return {
    ...own,
    version: own.version + 1,
    direction: ANSWERED[offer?.direction ?? 'sendrecv'],
    events: offer ? offer.events : EVENTS,
    ...(others && { others }),
  }
}
