import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { CarrierEvents, IncomingCall } from '../carrier.js'
import { IncomingLeg } from './incoming-leg.js'
import type { RtpPort } from './rtp-port.js'
import type { ServerTransaction } from './server-transaction.js'
import { fillAddress, numberIn } from './sip-address.js'
import type { SipAgent } from './sip-agent.js'
import { answerTo, type SipRequest } from './sip-message.js'
import { SipRegistration } from './sip-registration.js'
import type { SipWay } from './sip-route.js'
import type { Peer } from './sip-socket.js'
import { parseNameAddress, parseUri } from './sip-uri.js'
import type { Reception } from './talker.js'
import { TrunkAddresses } from './trunk-addresses.js'
import { UnconfirmedCalls } from './unconfirmed-calls.js'

/** Most calls to us about which the platform thinks. A further one is refused at once. */
const UNANSWERED_MOST = 64

export interface SipReceptionOptions {
  way: SipWay
  /** `trunk`: calls come from the server of `way`. `register`: we tell that server where we are, so that they do. */
  inbound: 'trunk' | 'register'
  /** The number that is called where a call names none. */
  number?: string | undefined
  /** How many calls to us run at once. A quarter of them, and one in any case, may be answered and not confirmed; without it, all. */
  places?: number | undefined
  agent: SipAgent
  openRtp(): Promise<RtpPort>
  events: CarrierEvents
  clock: Clock
  logger: Logger
  onTaken(callId: string, leg: IncomingLeg): void
  onOver(leg: IncomingLeg): void
}

/** Takes calls to us, from the addresses of the trunk alone. */
export class SipReception implements Reception {
  readonly #options: SipReceptionOptions
  readonly #trunk: TrunkAddresses
  readonly #registration: SipRegistration | undefined
  readonly #unanswered = new Set<IncomingLeg>()
  readonly #unconfirmed: UnconfirmedCalls
  #isOver = false

  constructor(options: SipReceptionOptions) {
    this.#options = options
    const { way, inbound, places = Number.POSITIVE_INFINITY, agent, clock, logger } = options
    this.#unconfirmed = new UnconfirmedCalls(Math.max(1, Math.floor(places / 4)), clock)
    const target = parseUri(fillAddress(way.to, ANYBODY))
    const server = way.proxy ?? target ?? { host: '' }
    this.#trunk = new TrunkAddresses({ host: server.host, agent, clock, logger })
    if (inbound === 'register' && way.account && target)
      this.#registration = new SipRegistration({
        ...{ agent, server, clock, logger, account: way.account, domain: target.hostText },
      })
  }

  /** To be asked once our address is open. Never rejects. */
  async begin(): Promise<void> {
    if (this.#isOver) return
    await this.#trunk.follow()
    if (!this.#isOver) await this.#registration?.run()
  }

  /** Somebody calls, and it is not decided yet what becomes of it. */
  get isBusy(): boolean {
    return this.#unanswered.size > 0
  }

  /** The server sends its calls elsewhere from now on. */
  leave(): void {
    this.#registration?.stop()
  }

  /** Takes no more calls, and hangs up on those about which the platform still thinks. */
  close(): void {
    this.#isOver = true
    this.#registration?.stop()
    for (const leg of [...this.#unanswered]) leg.hangUp()
    this.#trunk.end()
  }

  admits(address: string): boolean {
    return !this.#isOver && this.#trunk.admits(address)
  }

  receive(transaction: ServerTransaction, peer: Peer): void {
    const { way, agent, openRtp, events, logger, onTaken, onOver } = this.#options
    const { request } = transaction
    const to = this.#called(request)
    if (to === undefined || this.#unanswered.size >= UNANSWERED_MOST) {
      transaction.answer(answerTo(request, to === undefined ? 404 : 503))
      return
    }
    const leg: IncomingLeg = new IncomingLeg({
      ...{ transaction, peer, agent, openRtp, events, logger, account: way.account },
      clock: agent.faults.clock(() => leg.fail()),
      unconfirmed: this.#unconfirmed,
      parties: { ...callerOf(request, way.to), to },
      onTaken: (callId) => {
        this.#unanswered.delete(leg)
        onTaken(callId, leg)
      },
      onOver: () => {
        this.#unanswered.delete(leg)
        onOver(leg)
      },
    })
    this.#unanswered.add(leg)
    leg.begin()
  }

  #called({ uri, headers }: SipRequest): string | undefined {
    const { way, number } = this.#options
    const asked = parseNameAddress(headers.get('to') ?? '').uri?.user
    return numberIn(parseUri(uri)?.user, way.to) ?? numberIn(asked, way.to) ?? number
  }
}

/** Makes a whole address of a template whose host is asked for. */
const ANYBODY = '+12025550100'

/**
 * Who calls: as the trunk says it, which then vouches for it, or else as the caller does. `from` is undefined where it is hidden, or no
 * number.
 */
function callerOf({ headers }: SipRequest, template: string): Pick<IncomingCall, 'from' | 'attested'> {
  if (/(^|[;,\s])(id|user)($|[;,\s])/i.test(headers.get('privacy') ?? ''))
    return { from: undefined, attested: false }
  const numberOf = (value: string) => numberIn(parseNameAddress(value).uri?.user, template)
  const asserted = headers.all('p-asserted-identity').map(numberOf)
  const number = asserted.find((known) => known !== undefined)
  return { from: number ?? numberOf(headers.get('from') ?? ''), attested: number !== undefined }
}
