import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import { Budget } from '../../work/budget.js'
import { REFUSALS_TOLD } from '../../work/refusals-told.js'
import {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type CarrierRooms,
  type DialGuard,
  type DialRequest,
  type Leg,
  type TextMessage,
  type TransferRequest,
} from '../carrier.js'
import { E164 } from '../e164.js'
import { checkText } from '../text-check.js'
import { Dialling } from './dialling.js'
import { IncomingAnswers } from './incoming-answers.js'
import { LegEnds } from './leg-ends.js'
import { LEG_CHANNEL, type LegNotice, readLegNotice } from './leg-notice.js'
import { LegStore } from './leg-store.js'
import { GRACE_MS, LegWatch } from './leg-watch.js'
import { isOver, OpenStreams } from './open-streams.js'
import { StreamInvitations, type UpgradeRequest } from './stream-invitations.js'
import { endOf, TwilioApi } from './twilio-api.js'
import { readCallback, type TwilioCallback } from './twilio-callback.js'
import {
  type DialledNews,
  type DialledRequest,
  dialledRequest,
  newsOf,
  readDialledNews,
  TwilioTransfers,
} from './twilio-transfer.js'
import { HANG_UP, reject } from './twiml.js'

/** Statuses of a call that goes on (`CallStatus`). */
const LIVE: ReadonlySet<string> = new Set(['queued', 'initiated', 'ringing', 'in-progress'])

const REQUEST_TIMEOUT_MS = 10_000

export interface TwilioCarrierOptions {
  /** The platform's database: the calls in hand are there, for all processes. */
  db: Db
  /** `AC…` */
  accountSid: string
  /** Authenticates our requests and signs Twilio's. */
  authToken: string
  /** Default `https://api.twilio.com`. */
  apiUrl?: string
  /** Where Twilio reaches this server: `https://…`, as Twilio opens media streams over TLS only. */
  publicUrl: string
  fetch?: typeof fetch
  logger: Logger
  clock?: Clock
  /** Longest wait for an answer of Twilio's REST API, in milliseconds; 10 000. */
  requestTimeoutMs?: number
  /** Whether Twilio listens for answering machines, which it charges for by the call. True by default; then a call may still ask for none. */
  machineDetection?: boolean
}

export interface TwilioCarrier extends Carrier {
  connect(events: CarrierEvents, rooms?: Pick<CarrierRooms, 'askHolder'>): void
  /** Called once, before the first dial. Callees come over media streams, so no rooms are needed. */
  connect(events: CarrierEvents): void
  /** Answers Twilio's callbacks: `/-/carriers/twilio/voice/{callId}`, `status/{callId}`, `amd/{callId}` and `inbound`. */
  fetch(request: Request): Promise<Response>
  /** Takes a WebSocket that was accepted at `/-/carriers/twilio/media`. Closes it with 1008 when it is not a stream of ours. */
  acceptMedia(socket: WebSocket, request: UpgradeRequest): void
}

/**
 * Phone calls through Twilio's Calls resource and bidirectional Media Streams, and texts through its Messages resource, or a carrier that speaks the same wire.
 *
 * Serves calls both ways, and texts. Twilio listens for answering machines beside the call (`AsyncAmd`). Nothing is reported as answered
 * until it says who answered, for two seconds at most; a box that is found out later ends the call, or takes its message.
 *
 * The calls in hand are in the database: any process answers any callback, and the one that gets a call's media stream has the call from
 * then on. A callback that finds no call hangs it up. What follows a transfer is known by the process that made it: the others ask that one,
 * and pass on the stream that brings the call back.
 */
export const createTwilioCarrier = (options: TwilioCarrierOptions): TwilioCarrier => new Twilio(options)

class Twilio implements TwilioCarrier {
  readonly name = 'twilio'
  readonly #publicUrl: string
  readonly #authToken: string
  readonly #db: Db
  readonly #logger: Logger
  readonly #told: Budget
  readonly #api: TwilioApi
  readonly #legs: LegStore
  readonly #streams: OpenStreams
  readonly #transfers: TwilioTransfers
  readonly #watch: LegWatch
  readonly #invitations: StreamInvitations
  readonly #ends: LegEnds
  readonly #dialling: Dialling
  readonly #incomingAnswers = new IncomingAnswers()
  readonly #work = new Set<Promise<void>>()
  #events: CarrierEvents | undefined
  #rooms: Pick<CarrierRooms, 'askHolder'> | undefined
  #listening: Promise<() => Promise<void>> | undefined
  #closed = false

  constructor(options: TwilioCarrierOptions) {
    const { db, logger, clock = systemClock } = options
    this.#publicUrl = withoutSlash(options.publicUrl)
    this.#authToken = options.authToken
    this.#db = db
    this.#logger = logger
    this.#told = new Budget(clock, REFUSALS_TOLD)
    this.#api = new TwilioApi({
      accountSid: options.accountSid,
      authToken: options.authToken,
      apiUrl: withoutSlash(options.apiUrl ?? 'https://api.twilio.com'),
      fetch: options.fetch ?? fetch,
      timeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      clock,
    })
    this.#legs = new LegStore(db, randomUUID())
    const onPickedUp = (callId: string) => void this.#pickedUp(callId)
    this.#streams = new OpenStreams({
      ...{ legs: this.#legs, clock, logger },
      onAnswered: (callId, link, by) => {
        const why = this.#transfers.back(callId)
        if (why) this.#events?.onBackFromTransfer(callId, link, why)
        else this.#events?.onAnswered(callId, link, by)
      },
      isKnown: (callId) => this.#transfers.comesBack(callId),
      onPickedUp,
      onMachine: (callId) => this.#events?.onMachine(callId),
      onVoicemail: (callId, sid) => this.#do(() => this.#voicemail(callId, sid)),
      onGone: (callId) => {
        if (!this.#transfers.has(callId)) this.#do(() => this.#ends.end(callId, 'hung-up'))
      },
    })
    const wire = { legs: this.#legs, api: this.#api, publicUrl: this.#publicUrl, logger }
    this.#transfers = new TwilioTransfers(wire)
    this.#invitations = new StreamInvitations({ ...wire, authToken: options.authToken })
    this.#ends = new LegEnds({
      ...{ legs: this.#legs, streams: this.#streams, transfers: this.#transfers, clock, logger },
      onPickedUp,
      onEnded: (callId, end) => this.#events?.onEnded(callId, end),
    })
    this.#watch = new LegWatch({
      ...{ legs: this.#legs, api: this.#api, clock, logger },
      onPickedUp,
      end: (callId, end) => this.#ends.end(callId, end),
      hangUp: (callId) => this.hangUp(callId),
      background: (work) => this.#do(work),
    })
    this.#dialling = new Dialling({
      ...{ ...wire, ends: this.#ends, watch: this.#watch },
      hearsMachines: options.machineDetection ?? true,
      hangUp: (callId) => this.hangUp(callId),
      background: (work) => this.#do(work),
    })
    if (options.apiUrl === undefined && !this.#publicUrl.startsWith('https:'))
      logger.warn(
        'twilio opens media streams over TLS only: calls will have no audio until PUBLIC_URL is https',
      )
  }

  connect(events: CarrierEvents, rooms?: Pick<CarrierRooms, 'askHolder'>): void {
    this.#events = events
    this.#rooms = rooms
    this.#listening = this.#db.listen(LEG_CHANNEL, (payload) => this.#hear(readLegNotice(payload)))
    this.#do(async () => {
      await this.#listening
      await this.#legs.removeOld()
    })
    this.#watch.begin()
  }

  async dial(request: DialRequest, guard?: DialGuard): Promise<Leg> {
    if (this.#events === undefined) throw new Error('The carrier is not connected; call connect before dial.')
    if (this.#closed)
      throw new CarrierRefusal('closed', 'The carrier is closing; no call was placed.', { mayPass: true })
    return await this.#dialling.dial(request, guard)
  }

  async hangUp(callId: string): Promise<void> {
    this.#streams.hangUp(callId)
    const leg = await this.#legs.hangUp(callId, GRACE_MS)
    if (leg === undefined) return
    this.#watch.begin()
    const sid = leg.provider_id ?? (await this.#dialling.sidOf(callId))
    // A call without a sid is hung up when its first callback names one, if the call exists at all.
    if (!sid) return
    const end = endOf(await this.#api.completeCall(sid))
    if (end !== undefined) await this.#ends.end(callId, end)
  }

  transfer(request: TransferRequest): Promise<void> {
    return this.#transfers.transfer(request)
  }

  async sendText(text: TextMessage): Promise<void> {
    if (this.#closed) throw new CarrierRefusal('closed', 'The carrier is closing; no text was sent.')
    checkText(text)
    const { to, from, body } = text
    const sid = await this.#api.createMessage(new URLSearchParams({ To: to, From: from, Body: body }))
    this.#logger.info({ sid }, 'twilio text accepted')
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#watch.close()
    const own = await this.#legs.own().catch((error: unknown) => {
      this.#logger.warn(
        { err: error },
        'twilio calls of this process not found; another process hangs them up',
      )
      return this.#streams.held()
    })
    await Promise.all(
      own.map((callId) => this.hangUp(callId).catch((error: unknown) => this.#goesOn(callId, error))),
    )
    await this.#ends.close()
    while (this.#work.size > 0) await Promise.all(this.#work)
    // A database that is away cannot be told, and need not be.
    const unlisten = await this.#listening?.catch(() => undefined)
    await unlisten?.().catch(() => undefined)
  }

  async fetch(request: Request): Promise<Response> {
    const dialled = dialledRequest(request)
    const callback = await readCallback(request, { publicUrl: this.#publicUrl, authToken: this.#authToken })
    if (callback instanceof Response) return callback
    const { callId, kind } = callback
    try {
      if (dialled) return await this.#dialled(callback, dialled)
      if (kind === 'voice') return twimlResponse(await this.#begun(callback))
      if (kind === 'inbound') return await this.#incoming(callback)
      if (kind === 'amd') await this.#answeredBy(callback)
      else await this.#status(callback)
      return new Response(null, { status: 204 })
    } catch (error) {
      this.#logger.warn({ callId, kind, err: error }, 'twilio callback not taken')
      return new Response('The database cannot be asked now.\n', { status: 503 })
    }
  }

  acceptMedia(socket: WebSocket, request: UpgradeRequest): void {
    socket.on('error', (error) => this.#logger.debug({ err: error }, 'twilio stream broke'))
    if (this.#closed) {
      socket.close(1012)
      return
    }
    if (this.#invitations.isSigned(request)) {
      this.#streams.accept(socket)
      return
    }
    if (this.#told.spend())
      this.#logger.warn('twilio stream refused: its X-Twilio-Signature is missing or wrong')
    socket.close(1008)
  }

  /** See `Carrier`: what follows a transfer of this process, as TwiML. */
  async answer(callId: string, question: string): Promise<string | undefined> {
    const news = readDialledNews(question)
    return news && this.#transfers.has(callId) ? await this.#afterDial(callId, news) : undefined
  }

  /** The number that the call was transferred to is done with. The process that has transferred it knows what follows. */
  async #dialled({ callId, sid }: TwilioCallback, dialled: DialledRequest): Promise<Response> {
    const news = await newsOf(sid, dialled)
    const elsewhere = this.#transfers.has(callId)
      ? undefined
      : await this.#rooms?.askHolder?.(callId, JSON.stringify(news))
    return twimlResponse(elsewhere ?? (await this.#afterDial(callId, news)))
  }

  async #afterDial(callId: string, news: DialledNews): Promise<string> {
    const after = this.#transfers.afterDial(callId, news)
    if (after !== 'back') {
      if (after.isOver) this.#do(() => this.#ends.end(callId, 'hung-up'))
      return after.twiml
    }
    this.#watch.begin()
    return await this.#invitations.inviteBack(callId, news.sid)
  }

  /** Twilio asks again where it got no answer: a call is not taken twice. */
  async #incoming(callback: TwilioCallback): Promise<Response> {
    const events = this.#events
    if (events === undefined || this.#closed)
      return new Response('No calls are taken now.\n', { status: 503 })
    return twimlResponse(await this.#incomingAnswers.of(callback.sid, () => this.#take(callback, events)))
  }

  /** What is to be done with a call to us, as TwiML. */
  async #take({ sid, from, to, attested }: TwilioCallback, events: CarrierEvents): Promise<string> {
    const known = await this.#legs.findBySid(sid)
    if (known !== undefined) return await this.#invitations.invite(known.call_id, sid)
    const caller = E164.test(from) ? from : undefined
    const answer = await events.onIncoming({ id: sid, from: caller, to, attested })
    if ('refusal' in answer) return reject(answer.refusal)
    const { callId } = answer
    try {
      await this.#legs.add(callId, GRACE_MS)
      this.#watch.begin()
      return await this.#invitations.invite(callId, sid)
    } catch (error) {
      events.onEnded(callId, 'failed')
      this.#do(() => this.#ends.remove(callId))
      throw error
    }
  }

  /** An outbound call was answered: what is to be done with it, as TwiML. Its audio may come to another process, which finds when that was. */
  async #begun({ callId, sid }: TwilioCallback): Promise<string> {
    const twiml = await this.#invitations.invite(callId, sid)
    if (twiml !== HANG_UP) await this.#pickedUp(callId)
    return twiml
  }

  /** Twilio bills the call. */
  async #pickedUp(callId: string): Promise<void> {
    await this.#events?.onPickedUp?.(callId)
  }

  async #status({ callId, sid, status, sipCode }: TwilioCallback): Promise<void> {
    const leg = await this.#legs.learn(callId, sid, { rings: status === 'ringing' })
    const end = endOf(status, sipCode)
    if (leg === undefined) {
      // We have given the call up, and yet it lives.
      if (LIVE.has(status)) this.#do(() => this.#api.completeCall(sid))
      return
    }
    if (end !== undefined) return await this.#ends.end(callId, end)
    if (status === 'in-progress') await this.#pickedUp(callId)
    if (leg.hanging_up) return this.#do(() => this.hangUp(callId))
    if (!leg.rang) return
    this.#logger.info({ callId, sid }, 'twilio call ringing')
    this.#events?.onRinging(callId)
  }

  async #answeredBy({ callId, sid, answeredBy: by }: TwilioCallback): Promise<void> {
    const leg = await this.#legs.answeredBy(callId, sid, by)
    if (leg === undefined) return
    this.#logger.info({ callId, sid, by }, 'twilio tells who has answered')
    if (leg.state === 'answered') this.#streams.news(callId, by)
    else if (isOver(by, leg.machines)) await this.#voicemail(callId, sid)
  }

  /** A machine has answered and nothing is to be said to it: silence at once, then the end. */
  async #voicemail(callId: string, sid: string): Promise<void> {
    this.#streams.drop(callId)
    await this.#ends.end(callId, 'voicemail')
    // Its audio is closed, which ends it too.
    await this.#api.completeCall(sid).catch((error: unknown) => this.#goesOn(callId, error))
  }

  #hear(notice: LegNotice | undefined): void {
    if (!notice) return
    if (notice.type !== 'over') {
      this.#streams.news(notice.callId, notice.by)
      return
    }
    this.#streams.leave(notice.callId)
    // Its stream is gone already, so the session learns the end from here.
    if (this.#transfers.forget(notice.callId)) this.#events?.onEnded(notice.callId, 'hung-up')
  }

  #goesOn(callId: string, error: unknown): void {
    this.#logger.warn({ callId, err: error }, 'twilio call not hung up; it may go on')
  }

  /** Runs work for whose end only `close` waits. */
  #do(work: () => Promise<unknown>): void {
    const done = work()
      .catch((error: unknown) => this.#logger.warn({ err: error }, 'twilio carrier failed'))
      .then(() => void this.#work.delete(done))
    this.#work.add(done)
  }
}

const twimlResponse = (twiml: string): Response =>
  new Response(twiml, { headers: { 'content-type': 'text/xml; charset=utf-8' } })

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')
