import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import { guarded } from '../../sockets/guarded.js'
import { Budget } from '../../work/budget.js'
import { REFUSALS_TOLD } from '../../work/refusals-told.js'
import {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type DialRequest,
  type Leg,
  type TextMessage,
} from '../carrier.js'
import { checkText } from '../text-check.js'
import { GRACE_MS, LegWatch } from './leg-watch.js'
import { endOf, TwilioApi, TwilioError } from './twilio-api.js'
import { callbackUrl, readCallback, TWILIO_PATH, type TwilioCallback } from './twilio-callback.js'
import type { StreamStart } from './twilio-frame.js'
import { TwilioLeg } from './twilio-leg.js'
import { TwilioLink } from './twilio-link.js'
import { awaitStart } from './twilio-media.js'
import { isSigned } from './twilio-signature.js'
import { connectStream, HANG_UP } from './twiml.js'

/** Twilio lets a phone ring for 1 to 600 seconds. */
const MAX_RING_SECONDS = 600
const REQUEST_TIMEOUT_MS = 10_000

export interface TwilioCarrierOptions {
  /** `AC…` */
  accountSid: string
  /** Authenticates our requests and signs Twilio's. */
  authToken: string
  /** Default `https://api.twilio.com`. */
  apiUrl?: string
  /** Where Twilio reaches this process: `https://…`, as Twilio opens media streams over TLS only. */
  publicUrl: string
  fetch?: typeof fetch
  logger: Logger
  clock?: Clock
  /** Longest wait for an answer of Twilio's REST API, in milliseconds; 10 000. */
  requestTimeoutMs?: number
}

/** A WebSocket upgrade: its path with the query, and its headers. */
export interface UpgradeRequest {
  url: string
  headers: IncomingHttpHeaders
}

export interface TwilioCarrier extends Carrier {
  /** Called once, before the first dial. Callees come over media streams, so no rooms are needed. */
  connect(events: CarrierEvents): void
  /** Answers Twilio's callbacks: `/-/carriers/twilio/voice/{callId}` and `/-/carriers/twilio/status/{callId}`. */
  fetch(request: Request): Promise<Response>
  /** Takes a WebSocket that was accepted at `/-/carriers/twilio/media`. Closes it with 1008 when it is not a stream of ours. */
  acceptMedia(socket: WebSocket, request: UpgradeRequest): void
}

/**
 * Phone calls through Twilio's Calls resource and bidirectional Media Streams, and texts through its Messages resource, or a carrier that speaks the same wire.
 *
 * Serves outbound calls and texts. It does not ask for answering-machine detection (`MachineDetection`), so a voicemail box counts as somebody
 * who answered, and `voicemail` is never reported.
 *
 * The process that dialled keeps the call in its memory. With several processes behind a load balancer, give each its own
 * `publicUrl`: every callback and stream URL is made from it. A callback that reaches another process hangs the call up.
 */
export const createTwilioCarrier = (options: TwilioCarrierOptions): TwilioCarrier => new Twilio(options)

class Twilio implements TwilioCarrier {
  readonly name = 'twilio'
  readonly #publicUrl: string
  readonly #authToken: string
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #told: Budget
  readonly #api: TwilioApi
  readonly #watch: LegWatch
  readonly #legs = new Map<string, TwilioLeg>()
  readonly #dialling = new Map<string, Promise<unknown>>()
  #events: CarrierEvents | undefined
  #closed = false

  constructor(options: TwilioCarrierOptions) {
    this.#publicUrl = withoutSlash(options.publicUrl)
    this.#authToken = options.authToken
    this.#logger = options.logger
    this.#clock = options.clock ?? systemClock
    this.#told = new Budget(this.#clock, REFUSALS_TOLD)
    this.#api = new TwilioApi({
      accountSid: options.accountSid,
      authToken: options.authToken,
      apiUrl: withoutSlash(options.apiUrl ?? 'https://api.twilio.com'),
      fetch: options.fetch ?? fetch,
      timeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    })
    this.#watch = new LegWatch(this.#api, options.logger)
    if (options.apiUrl === undefined && !this.#publicUrl.startsWith('https:'))
      options.logger.warn(
        'twilio opens media streams over TLS only: calls will have no audio until PUBLIC_URL is https',
      )
  }

  connect(events: CarrierEvents): void {
    this.#events = events
  }

  async dial(request: DialRequest): Promise<Leg> {
    const { callId } = request
    if (this.#events === undefined) throw new Error('The carrier is not connected; call connect before dial.')
    if (this.#closed) throw new CarrierRefusal('closed', 'The carrier is closing; no call was placed.')
    if (this.#legs.has(callId)) throw new TwilioError('already_dialled', `Call ${callId} was dialled before.`)
    const leg = new TwilioLeg({
      callId,
      events: this.#events,
      clock: this.#clock,
      logger: this.#logger,
      onOver: () => this.#legs.delete(callId),
    })
    this.#legs.set(callId, leg)
    const ringSeconds = Math.min(MAX_RING_SECONDS, Math.max(1, Math.ceil(request.ringSeconds)))
    const placing = this.#api.createCall(this.#callForm(request, ringSeconds))
    this.#dialling.set(callId, placing)
    try {
      const sid = await placing
      leg.learn(sid)
      this.#logger.info({ callId, sid }, 'twilio call placed')
      return { id: sid }
    } catch (error) {
      if (error instanceof CarrierRefusal) this.#legs.delete(callId)
      throw error
    } finally {
      this.#dialling.delete(callId)
      if (this.#legs.has(callId)) this.#watch.start(leg, ringSeconds * 1000 + GRACE_MS)
    }
  }

  async hangUp(callId: string): Promise<void> {
    const leg = this.#legs.get(callId)
    if (leg === undefined) return
    leg.hangingUp = true
    leg.closeLink()
    // `dial` reports its own failure. Here it only matters whether there is a sid by now.
    await this.#dialling.get(callId)?.catch(() => {})
    // A call without a sid is hung up when its first callback names one, if the call exists at all.
    if (leg.over || leg.sid === undefined) return
    const end = endOf(await this.#api.completeCall(leg.sid))
    if (end !== undefined) leg.end(end)
    else this.#watch.start(leg, GRACE_MS)
  }

  async sendText(text: TextMessage): Promise<void> {
    if (this.#closed) throw new CarrierRefusal('closed', 'The carrier is closing; no text was sent.')
    checkText(text)
    const { to, from, body } = text
    const sid = await this.#api.createMessage(new URLSearchParams({ To: to, From: from, Body: body }))
    this.#logger.info({ sid }, 'twilio text accepted')
  }

  async close(): Promise<void> {
    this.#closed = true
    const legs = [...this.#legs.values()]
    await Promise.all(
      legs.map(({ callId }) => this.hangUp(callId).catch((error: unknown) => this.#goesOn(callId, error))),
    )
    for (const leg of legs) leg.end('hung-up')
  }

  async fetch(request: Request): Promise<Response> {
    const callback = await readCallback(request, { publicUrl: this.#publicUrl, authToken: this.#authToken })
    if (callback instanceof Response) return callback
    const leg = this.#legs.get(callback.callId)
    const known = leg?.learn(callback.sid) ? leg : undefined
    if (callback.kind === 'voice') return this.#voice(callback, known)
    if (known !== undefined) this.#status(known, callback)
    return new Response(null, { status: 204 })
  }

  acceptMedia(socket: WebSocket, request: UpgradeRequest): void {
    socket.on('error', (error) => this.#logger.debug({ err: error }, 'twilio stream broke'))
    const query = request.url.indexOf('?')
    const search = query < 0 ? '' : request.url.slice(query)
    if (!isSigned(this.#authToken, this.#streamUrl() + search, [], request.headers['x-twilio-signature'])) {
      if (this.#told.spend())
        this.#logger.warn('twilio stream refused: its X-Twilio-Signature is missing or wrong')
      socket.close(1008)
      return
    }
    const accept = (start: StreamStart) => this.#accept(socket, start)
    awaitStart(socket, { clock: this.#clock, logger: this.#logger, accept })
  }

  #accept(socket: WebSocket, start: StreamStart): string | undefined {
    const { call = '', key = '' } = start.customParameters
    const leg = this.#legs.get(call)
    if (leg === undefined || leg.hangingUp) return 'no call of this process waits for it'
    if (!leg.redeemKey(key)) return 'its key is wrong, spent or too old'
    if (!leg.learn(start.callSid)) return 'it belongs to another call'
    const link = new TwilioLink({
      socket,
      streamSid: start.streamSid,
      logger: this.#logger,
      clock: this.#clock,
    })
    // Runs after the link's own listener: the session learns first that the caller is gone, then the platform.
    const guard = { logger: this.#logger, fail: () => socket.close(1011) }
    socket.once(
      'close',
      guarded(() => leg.end('hung-up'), guard),
    )
    leg.answer(link)
    return undefined
  }

  #voice({ callId }: TwilioCallback, leg: TwilioLeg | undefined): Response {
    const willing = leg !== undefined && !leg.hangingUp && !leg.answered
    if (!willing) this.#logger.warn({ callId }, 'twilio call hung up: this process does not expect its audio')
    const twiml = willing ? connectStream(this.#streamUrl(), { call: callId, key: leg.issueKey() }) : HANG_UP
    return new Response(twiml, { headers: { 'content-type': 'text/xml; charset=utf-8' } })
  }

  #status(leg: TwilioLeg, { status, sipCode }: TwilioCallback): void {
    const end = endOf(status, sipCode)
    if (end !== undefined) leg.end(end)
    else if (leg.hangingUp) this.hangUp(leg.callId).catch((error: unknown) => this.#goesOn(leg.callId, error))
    else if (status === 'ringing') leg.ring()
  }

  #goesOn(callId: string, error: unknown): void {
    this.#logger.warn({ callId, err: error }, 'twilio call not hung up; it may go on')
  }

  #callForm({ callId, to, from }: DialRequest, ringSeconds: number): URLSearchParams {
    const form = new URLSearchParams({
      To: to,
      From: from,
      Url: callbackUrl(this.#publicUrl, 'voice', callId),
      Method: 'POST',
      StatusCallback: callbackUrl(this.#publicUrl, 'status', callId),
      StatusCallbackMethod: 'POST',
      Timeout: String(ringSeconds),
    })
    for (const event of ['initiated', 'ringing', 'answered', 'completed'])
      form.append('StatusCallbackEvent', event)
    return form
  }

  #streamUrl(): string {
    return `${this.#publicUrl.replace(/^http/, 'ws')}${TWILIO_PATH}/media`
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')
