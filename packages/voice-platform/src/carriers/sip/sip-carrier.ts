import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type DialGuard,
  type DialRequest,
  type Leg,
  type TextMessage,
  type TransferRequest,
} from '../carrier.js'
import { checkText } from '../text-check.js'
import type { IncomingLeg } from './incoming-leg.js'
import { GOODBYE_MS, OwnAddress, openOwnAddress } from './own-address.js'
import { type PortRange, RtpPort } from './rtp-port.js'
import { fillAddress, namesNumber } from './sip-address.js'
import { SipAgent } from './sip-agent.js'
import { SipLeg } from './sip-leg.js'
import { sendMessage } from './sip-question.js'
import { SipReception } from './sip-reception.js'
import { findRoute, type SipWay } from './sip-route.js'

export interface SipCarrierOptions extends SipWay {
  /** An IP address and port of this machine for the signalling. Default: `0.0.0.0` and any port that is free. */
  bind?: { host: string; port: number }
  /** Ports for the audio: each call takes an even one. Default: 16384 to 17383. */
  rtpPorts?: PortRange
  /**
   * Calls to us: `trunk` takes those that come from the addresses of the proxy, or of the host of `to`. `register` does the same, and
   * registers there first, by the account. Left out: nobody calls us.
   */
  inbound?: 'trunk' | 'register'
  /** The number of ours (E.164) that is called where a call names none, as one to an extension. */
  number?: string
  /**
   * How many calls to us run at once, where that is bounded: a quarter of them, and one in any case, may be answered and not confirmed, because
   * anybody can make up such a call. The next one waits for its turn.
   */
  places?: number
  logger: Logger
  clock?: Clock
}

export interface SipCarrier extends Carrier {
  /** Called once, before the first dial. A phone answers by RTP, so no rooms are needed. */
  connect(events: CarrierEvents): void
}

const RTP_PORTS: PortRange = { from: 16_384, to: 17_383 }
const BIND = { host: '0.0.0.0', port: 0 }

/**
 * Phone calls by SIP over UDP with audio by RTP (PCMU): a desk phone rings, or a trunk carries the call. Calls come in where `inbound` says so.
 *
 * It has no TLS and no SRTP, so it belongs into an office's network or a VPN. It crosses no NAT beyond `rport` and symmetric RTP.
 * A voicemail box counts as somebody who answered. The process that dialled keeps the call in its memory.
 */
export const createSipCarrier = (options: SipCarrierOptions): SipCarrier => new Sip(options)

const closed = () =>
  new CarrierRefusal('closed', 'The carrier is closing; no call was placed.', { mayPass: true })

class Sip implements SipCarrier {
  readonly name = 'sip'
  readonly #options: SipCarrierOptions
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #bind: { host: string; port: number }
  readonly #agent: SipAgent
  readonly #own: OwnAddress
  readonly #legs = new Map<string, SipLeg | IncomingLeg>()
  /** Calls that are about to be placed. False: they were called off. */
  readonly #dialling = new Map<string, boolean>()
  /** Texts that are under way. */
  #texts = 0
  #events: CarrierEvents | undefined
  #reception: SipReception | undefined
  #isClosed = false

  constructor(options: SipCarrierOptions) {
    this.#options = options
    this.#logger = options.logger
    this.#bind = options.bind ?? BIND
    const clock = options.clock ?? systemClock
    this.#agent = new SipAgent({ ...this.#bind, clock, logger: options.logger })
    this.#clock = this.#agent.faults.clock()
    this.#own = new OwnAddress({
      ...{ agent: this.#agent, clock: this.#clock, logger: this.#logger },
      isUsed: () =>
        this.#legs.size + this.#dialling.size + this.#texts > 0 || this.#reception?.isBusy === true,
    })
  }

  connect(events: CarrierEvents): void {
    this.#events = events
    const reception = this.#receptionOf(events)
    this.#reception = reception
    if (reception) this.#agent.receiveAt(reception)
    void this.#own.open(() => void reception?.begin())
  }

  canDial(): boolean {
    return this.#agent.isOpen
  }

  prepare(): Promise<void> {
    return openOwnAddress(this.#agent)
  }

  async dial(request: DialRequest, guard?: DialGuard): Promise<Leg> {
    const { callId } = request
    const events = this.#events
    if (events === undefined) throw new Error('The carrier is not connected; call connect before dial.')
    if (this.#isClosed) throw closed()
    if (this.#legs.has(callId) || this.#dialling.has(callId))
      throw new CarrierRefusal('already_dialled', `Call ${callId} was dialled before.`)
    this.#dialling.set(callId, true)
    try {
      const route = await findRoute(this.#agent, this.#options, request)
      const rtp = await this.#openRtp()
      try {
        guard?.check()
        if (this.#isClosed) throw closed()
        if (this.#dialling.get(callId) === false)
          throw new CarrierRefusal('canceled', 'The call was called off before it was placed.')
      } catch (error) {
        rtp.close()
        throw error
      }
      const leg: SipLeg = new SipLeg({
        request,
        route,
        agent: this.#agent,
        rtp,
        events,
        clock: this.#agent.faults.clock(() => leg.fail()),
        logger: this.#logger,
        onOver: () => {
          this.#legs.delete(callId)
          this.#own.free()
        },
      })
      this.#legs.set(callId, leg)
      return await leg.placed
    } finally {
      this.#dialling.delete(callId)
      this.#own.free()
    }
  }

  async transfer({ callId, to, extension }: TransferRequest): Promise<void> {
    if (!namesNumber(this.#options.to))
      throw new CarrierRefusal(
        'sip-one-phone',
        'SIP_TO is one phone for all numbers, so no call is transferred.',
      )
    if (extension !== undefined)
      throw new CarrierRefusal(
        'sip-extension',
        'The phone calls the number itself, so no keys can be pressed there.',
      )
    const leg = this.#legs.get(callId)
    if (!leg) throw new CarrierRefusal('not_answered', 'The call is not answered, or is over.')
    await leg.transfer(fillAddress(this.#options.to, to))
  }

  async hangUp(callId: string): Promise<void> {
    if (this.#dialling.has(callId)) this.#dialling.set(callId, false)
    this.#legs.get(callId)?.hangUp()
  }

  async sendText(text: TextMessage): Promise<void> {
    if (this.#isClosed) throw new CarrierRefusal('closed', 'The carrier is closing; no text was sent.')
    checkText(text)
    if (!namesNumber(this.#options.to))
      throw new CarrierRefusal(
        'sip-one-phone',
        'SIP_TO is one phone for all numbers, so no text is sent to it.',
      )
    const status = await this.#send(text)
    if (status >= 300)
      throw new CarrierRefusal(`sip-${status}`, `The SIP server refused the text with ${status}.`)
    this.#logger.info('sip text accepted')
  }

  leave(): void {
    this.#reception?.leave()
    this.#own.leave()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#own.end()
    for (const leg of [...this.#legs.values()]) leg.hangUp()
    this.#reception?.close()
    await this.#agent.quiet(GOODBYE_MS)
    await this.#agent.close()
  }

  /** Undefined where nobody is to call us. */
  #receptionOf(events: CarrierEvents): SipReception | undefined {
    const { inbound, number, places } = this.#options
    if (inbound === undefined) return undefined
    return new SipReception({
      ...{ inbound, number, places, events, way: this.#options, agent: this.#agent },
      ...{ clock: this.#clock, logger: this.#logger },
      openRtp: () => this.#openRtp(),
      onTaken: (callId, leg) => void this.#legs.set(callId, leg),
      onOver: (leg) => {
        for (const [callId, known] of this.#legs) if (known === leg) this.#legs.delete(callId)
        this.#own.free()
      },
    })
  }

  /** Resolves with the status of the answer. */
  async #send(text: TextMessage): Promise<number> {
    this.#texts += 1
    try {
      return await sendMessage(this.#agent, await findRoute(this.#agent, this.#options, text), text.body)
    } finally {
      this.#texts -= 1
      this.#own.free()
    }
  }

  async #openRtp(): Promise<RtpPort> {
    const { rtpPorts = RTP_PORTS } = this.#options
    return RtpPort.open(this.#bind.host, rtpPorts, this.#agent.faults).catch((error: unknown) => {
      throw new CarrierRefusal('sip-no-port', 'No port of SIP_RTP_PORTS is free for the audio.', {
        cause: error,
        isOfLines: true,
      })
    })
  }
}
