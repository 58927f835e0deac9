import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { type CarrierEvents, CarrierRefusal, type DialRequest, type Leg, type LegEnd } from '../carrier.js'
import { cancelOf, TRANSACTION_MS } from './client-transaction.js'
import { contactOf, Dialog, newRequest, newToken } from './dialog.js'
import { DialogLine } from './dialog-line.js'
import type { RtpPort } from './rtp-port.js'
import { EVENTS, type OwnAudio, parseSdp, printSdp, SDP_TYPE } from './sdp.js'
import { TIMER } from './session-timer.js'
import type { SipAgent } from './sip-agent.js'
import { ALLOW, SipCall } from './sip-call.js'
import { endOf, isOfLines, refusalText } from './sip-ends.js'
import { SipExchange } from './sip-exchange.js'
import { cseqOf, type SipRequest, type SipResponse } from './sip-message.js'
import type { SipRoute } from './sip-route.js'

/** How long the first word of the proxy may take. Nobody knows then whether the phone rings: over UDP, answers may be lost as well. */
const SILENT_MS = 10_000
/** The same for an INVITE that follows a word: with the proof of who calls. */
const SILENT_AGAIN_MS = 5_000
/** A process that stood still reads first what came meanwhile. */
const LAST_LOOK_MS = 500
/** The platform ends a call in time. Where it does not, we do so much later, in milliseconds. */
const GRACE_MS = 120_000
/** The longest call that the platform knows, in seconds. */
const LONGEST_SECONDS = 43_200
/** How long we wait after a `100 Trying` for a word about the phone itself. */
const TRYING_MS = 3_000

export interface SipLegOptions {
  request: DialRequest
  route: SipRoute
  agent: SipAgent
  rtp: RtpPort
  events: CarrierEvents
  clock: Clock
  logger: Logger
  /** The leg is over and can be forgotten. Its last messages may still be under way. */
  onOver(): void
}

/** One call of this process: an INVITE, and what becomes of it. It reports ringing, answered and ended at most once each, in that order. */
export class SipLeg {
  readonly callId: string
  /** As `Carrier.dial` resolves or rejects. */
  readonly placed: Promise<Leg>
  readonly #id = newToken()
  readonly #options: SipLegOptions
  readonly #own: OwnAudio
  readonly #invite: SipExchange
  #settle: { accept(): void; refuse(error: Error): void } | undefined
  #cseq = 0
  /** The INVITE that is under way has got a first word. */
  #heardOf = false
  #rang = false
  #isOver = false
  /** The dialogs that phones made of our INVITE, by their tags: more than one where a proxy rings several phones. */
  readonly #lines = new Map<string, DialogLine>()
  #call: SipCall | undefined
  #stopTimers: Array<() => void> = []
  #stopLongest = () => {}

  constructor(options: SipLegOptions) {
    this.#options = options
    const { request, route, agent, rtp, clock } = options
    this.callId = request.callId
    this.#own = {
      address: route.own.host,
      port: rtp.port,
      events: EVENTS,
      direction: 'sendrecv',
      session: clock.now(),
      version: 1,
    }
    this.placed = new Promise((resolve, reject) => {
      this.#settle = { accept: () => resolve({ id: this.#id }), refuse: reject }
    })
    this.#after(request.ringSeconds * 1000, () => {
      if (this.#heardOf) this.#giveUp('no-answer')
      else this.#unheard()
    })
    this.#invite = new SipExchange({
      agent,
      peer: route.peer,
      account: route.account,
      make: (headers) => this.#newInvite(headers),
      onResponse: (response) => this.#respond(response),
      onTimeout: () => this.fail(),
    })
    this.#log('placed')
  }

  /** Stops ringing or hangs up. Idempotent. */
  hangUp(): void {
    if (this.#call) this.#call.hangUp()
    else this.#giveUp('canceled')
  }

  /** Something of the call has failed: it ends. Idempotent. */
  fail(): void {
    if (this.#call) this.#call.fail()
    else this.#giveUp('failed')
  }

  /** See `SipCall.transfer`. */
  async transfer(to: string): Promise<void> {
    if (!this.#call) throw new CarrierRefusal('not_answered', 'The call is not answered, or is over.')
    await this.#call.transfer(to)
    this.#log('transferred')
  }

  #newInvite(headers: Array<[string, string]>): SipRequest {
    const { own, uri } = this.#options.route
    this.#cseq += 1
    this.#heardOf = false
    this.#awaitWord(this.#cseq === 1 ? SILENT_MS : SILENT_AGAIN_MS)
    return newRequest(own, {
      method: 'INVITE',
      uri,
      to: `<${uri}>`,
      callId: this.#id,
      cseq: this.#cseq,
      headers: [contactOf(own), ALLOW, TIMER, ...headers, ['content-type', SDP_TYPE]],
      body: printSdp(this.#own),
    })
  }

  /** Of the INVITE that is sent now. */
  #awaitWord(silentMs: number): void {
    const cseq = this.#cseq
    this.#after(silentMs - LAST_LOOK_MS, () =>
      this.#after(LAST_LOOK_MS, () => {
        if (cseq !== this.#cseq) return
        if (this.#heardOf) this.#settled()?.accept()
        else this.#unheard()
      }),
    )
  }

  #respond(response: SipResponse): void {
    const { status } = response
    if (status >= 300) this.#refused(status)
    else if (status >= 200) this.#answered(response)
    else this.#provisional(status)
  }

  #provisional(status: number): void {
    const isFirst = !this.#heardOf
    this.#heardOf = true
    if (this.#isOver) {
      if (isFirst) this.#cancel()
    } else if (status === 100) this.#after(TRYING_MS, () => this.#settled()?.accept())
    else this.#ring()
  }

  #ring(): void {
    this.#settled()?.accept()
    if (this.#rang) return
    this.#rang = true
    this.#log('ringing')
    this.#options.events.onRinging(this.callId)
  }

  /** Somebody picked up. Whoever does so too late, or as the second, is hung up on at once. */
  #answered(response: SipResponse): void {
    const { route, agent, logger } = this.#options
    const invite = this.#invite.transaction.request
    const dialog = Dialog.of(route.own, invite, response)
    if (!dialog) return
    const known = this.#lines.get(dialog.remoteTag)
    if (known) {
      known.confirm()
      return
    }
    const { peer, account } = route
    const line = new DialogLine({
      dialog,
      cseq: cseqOf(invite.headers).number,
      agent,
      account,
      peer,
      logger,
    })
    this.#lines.set(dialog.remoteTag, line)
    if (this.#isOver || this.#call) line.bye()
    else
      agent.faults.run(
        () => this.#talk(dialog, line, response),
        () => {
          if (!this.#call) line.bye()
          this.fail()
        },
      )
  }

  #talk(dialog: Dialog, line: DialogLine, { headers, body }: SipResponse): void {
    const remote = parseSdp(body)
    const { request, agent, rtp, clock, logger, events } = this.#options
    this.#settled()?.accept()
    void events.onPickedUp?.(this.callId)
    if (!remote) {
      logger.warn({ callId: this.callId }, 'sip phone speaks no audio that we speak: PCMU over RTP')
      line.bye()
      this.#end('failed')
      return
    }
    this.#stop()
    const { mostSeconds = LONGEST_SECONDS } = request
    this.#stopLongest = clock.after(mostSeconds * 1000 + GRACE_MS, () => this.#outlast())
    this.#call = new SipCall({
      callId: this.callId,
      dialog,
      line,
      agent,
      rtp,
      own: this.#own,
      remote,
      time: { headers, role: 'uac' },
      clock,
      logger,
      onEnd: (end) => this.#end(end),
    })
    this.#call.begin()
    this.#log('answered')
    events.onAnswered(this.callId, this.#call.link)
  }

  #outlast(): void {
    this.#options.logger.error(
      { callId: this.callId },
      'a sip call has outlasted its longest time: it is hung up',
    )
    this.fail()
  }

  #refused(status: number): void {
    if (this.#isOver) return
    const end = endOf(status)
    const settle = this.#settled()
    if (end === 'failed' && settle) {
      this.#close()
      this.#log('refused', { status })
      settle.refuse(
        new CarrierRefusal(`sip-${status}`, refusalText(status), { isOfLines: isOfLines(status) }),
      )
      return
    }
    settle?.accept()
    if (end === 'failed')
      this.#options.logger.warn({ callId: this.callId, status }, `sip call failed. ${refusalText(status)}`)
    this.#end(end)
  }

  /**
   * The server is down, or no way leads there and back. One that comes back later is not to ring a phone for a call that is over: the INVITE is
   * not repeated. A late word of it gets a CANCEL, and a late answer a BYE.
   */
  #unheard(): void {
    this.#options.logger.warn({ callId: this.callId }, 'sip call unheard: the SIP server says nothing')
    this.#invite.transaction.stopRepeating()
    this.#giveUp('unheard')
  }

  /** Takes the call back before anybody answered. The end is told at once; the phone stops as soon as the CANCEL reaches it. */
  #giveUp(end: Extract<LegEnd, 'no-answer' | 'unheard' | 'canceled' | 'failed'>): void {
    if (this.#isOver || this.#call) return
    this.#settled()?.accept()
    this.#invite.giveUp()
    // A CANCEL may not overtake its INVITE (RFC 3261 9.1): it waits for the first word about it.
    if (this.#heardOf) this.#cancel()
    this.#end(end)
  }

  #cancel(): void {
    const { agent, route } = this.#options
    const { transaction } = this.#invite
    if (!transaction.isUnanswered) return
    agent.ask(cancelOf(transaction.request), route.peer, { onResponse: () => {}, onTimeout: () => {} })
    transaction.giveUpIn(TRANSACTION_MS)
  }

  #end(end: LegEnd): void {
    if (this.#isOver) return
    this.#settled()?.accept()
    this.#close()
    this.#log('ended', { end })
    this.#options.events.onEnded(this.callId, end)
  }

  #close(): void {
    this.#isOver = true
    this.#stop()
    this.#stopLongest()
    this.#options.rtp.close()
    this.#options.onOver()
  }

  /** What `dial` waits for, once. */
  #settled() {
    const settle = this.#settle
    this.#settle = undefined
    return settle
  }

  #after(milliseconds: number, run: () => void): void {
    this.#stopTimers.push(this.#options.clock.after(milliseconds, run))
  }

  #stop(): void {
    for (const stop of this.#stopTimers.splice(0)) stop()
  }

  #log(what: string, more: Record<string, unknown> = {}): void {
    this.#options.logger.info({ callId: this.callId, sipCallId: this.#id, ...more }, `sip call ${what}`)
  }
}
