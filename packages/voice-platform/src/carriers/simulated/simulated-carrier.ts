import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { hashOf, newSecret } from '@heyline/kit/secret'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import { Lanes } from '../../work/lanes.js'
import { Retries } from '../../work/retries.js'
import { Rounds } from '../../work/rounds.js'
import {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type CarrierRooms,
  type DialGuard,
  type DialRequest,
  type Leg,
  type LegEnd,
  type TextMessage,
  type TransferRequest,
} from '../carrier.js'
import { E164 } from '../e164.js'
import { DialledLeg } from './dialled-leg.js'
import { LegEnds } from './leg-ends.js'
import { type EndedLeg, LegStore, type SimulatedLeg } from './leg-store.js'
import { type CallNotice, LINE_CHANNEL, type LineNotice, readNotice } from './line-notice.js'
import { OpenPhones } from './open-phones.js'
import type { Phone } from './phone.js'
import { PickUps } from './pick-ups.js'
import { SIMULATED_NUMBERS } from './simulated-numbers.js'
import { Texts } from './texts.js'
import { Transfers } from './transfers.js'

/** When no pocket phone rings after this long, the simulated callee answers. */
const CALLEE_ANSWERS_MS = 2_000

/** How long a phone that picked up may take to come into the room: longer than the room's address is good for. */
const CONNECT_MS = 20_000

/** How long a phone rings that a call is transferred to, in milliseconds. */
const TRANSFER_RING_MS = 30_000

const ANY_STATE = ['ringing', 'answered', 'connected'] as const

/** How often a process looks for changes of which it was not told, in milliseconds. */
const LOOK_MS = 10_000

export interface SimulatedCarrierOptions {
  /** The platform's database: rings travel through it between processes. */
  db: Db
  logger: Logger
  clock?: Clock
}

export interface SimulatedCarrier extends Carrier {
  /** Takes a pocket phone's WebSocket (subprotocol `phone.v1`). Whoever calls this decides who may open a phone. */
  acceptPhone(socket: WebSocket): void
}

/**
 * Phone calls without a telephone network. A call rings every open pocket phone of every process, and the first answer wins. When no
 * phone has been open for two seconds, a simulated callee answers, listens and hangs up. `SIMULATED_NUMBERS` behave as listed.
 * A call is transferred to a number in the same way, and the two phones hear each other.
 * A text, to whatever number, shows on every open pocket phone, and on those that open within two minutes.
 */
export const createSimulatedCarrier = (options: SimulatedCarrierOptions): SimulatedCarrier =>
  new Simulated(options)

class Simulated implements SimulatedCarrier {
  readonly name = 'simulated'
  readonly #db: Db
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #legs: LegStore
  readonly #phones: OpenPhones
  readonly #texts: Texts
  readonly #process = randomUUID()
  readonly #dialled = new Map<string, DialledLeg>()
  readonly #work = new Set<Promise<void>>()
  readonly #lanes = new Lanes()
  readonly #retries: Retries
  readonly #ends: LegEnds
  readonly #pickUps: PickUps
  readonly #transfers: Transfers
  readonly #rounds: Rounds
  #events: CarrierEvents | undefined
  #rooms: CarrierRooms | undefined
  #listening: Promise<() => Promise<void>> | undefined
  #closed = false

  constructor({ db, logger, clock = systemClock }: SimulatedCarrierOptions) {
    this.#db = db
    this.#logger = logger
    this.#clock = clock
    this.#legs = new LegStore(db)
    this.#retries = new Retries(clock)
    this.#ends = new LegEnds({
      ...{ legs: this.#legs, retries: this.#retries, logger },
      onOver: (leg, end) => this.#over(leg, end),
    })
    this.#pickUps = new PickUps({
      ...{ legs: this.#legs, ends: this.#ends, clock, logger },
      onAnswered: (callId, line) => {
        if (this.#transfers.has(callId)) this.#transfers.answered(callId, line)
        else this.#events?.onAnswered(callId, line.lent)
      },
      onGone: (callId) => {
        this.#transfers.legEnded(callId, 'hung-up')
        this.#transfers.callEnded(callId)
      },
      address: (callId) => this.#address(callId),
      background: (work) => this.#do(work),
    })
    this.#phones = new OpenPhones({
      clock,
      logger,
      onAnswer: (callId, phone) => this.#do(() => this.#pickUps.byPhone(callId, phone)),
      onSilent: (callId, why) => this.#tell({ type: 'silent', callId, process: this.#process, why }),
      onHungUp: (callId) => this.#do(() => this.#ends.end(callId, ['answered'], 'hung-up')),
    })
    this.#transfers = new Transfers({
      ...{ clock, logger },
      line: (callId) => this.#pickUps.line(callId),
      add: (leg) => this.#add(leg),
      ring: (leg) => this.#begin(leg, TRANSFER_RING_MS),
      openRoom: (legId) => this.#openRoom(legId),
      endLeg: (legId) => this.#do(() => this.#ends.end(legId, ANY_STATE, 'canceled')),
      hangUp: (callId, endedReason) => void this.#pickUps.hangUp(callId, endedReason),
      onBack: (callId, link, why) => this.#events?.onBackFromTransfer(callId, link, why),
    })
    this.#texts = new Texts({ phones: this.#phones, clock, logger, notify: (text) => this.#notify(text) })
    this.#rounds = new Rounds({
      clock,
      everyMs: LOOK_MS,
      needed: () => !this.#closed && (this.#dialled.size > 0 || this.#phones.ringing().size > 0),
      go: () => this.#do(() => this.#look()),
    })
  }

  connect(events: CarrierEvents, rooms: CarrierRooms): void {
    this.#events = events
    this.#rooms = rooms
    rooms.onJoin((callId, link, gone) => this.#do(() => this.#pickUps.joined(callId, link, gone)))
    this.#listening = this.#db.listen(LINE_CHANNEL, (payload) => this.#hear(readNotice(payload)))
    this.#do(async () => {
      await this.#listening
      await this.#legs.removeOld()
    })
  }

  async dial({ callId, to, from, ringSeconds }: DialRequest, guard?: DialGuard): Promise<Leg> {
    if (!this.#events) throw new Error('The carrier is not connected; call connect before dial.')
    if (this.#closed)
      throw new CarrierRefusal('closed', 'The carrier is closing; no call was placed.', { mayPass: true })
    if (!E164.test(to))
      throw new CarrierRefusal('invalid-number', 'The number to call is not in the E.164 format.')
    await this.#listening
    if (!(await this.#add({ call_id: callId, caller: from, callee: to })))
      throw new CarrierRefusal('already-dialled', `Call ${callId} was dialled before.`)
    try {
      guard?.check()
    } catch (error) {
      this.#takeBack(callId)
      throw error
    }
    this.#begin({ call_id: callId, caller: from, callee: to }, ringSeconds * 1000)
    return { id: `simulated-${callId}` }
  }

  async transfer(request: TransferRequest): Promise<void> {
    await this.#listening
    await this.#transfers.begin(request)
  }

  async hangUp(callId: string): Promise<void> {
    if (await this.#ends.tryEnd(callId, ['ringing', 'answered'], 'canceled')) return
    if (this.#pickUps.hangUp(callId)) return
    if (await this.#legs.exists(callId)) await this.#notify({ type: 'hang-up', callId })
  }

  async sendText(text: TextMessage): Promise<void> {
    if (this.#closed) throw new CarrierRefusal('closed', 'The carrier is closing; no text was sent.')
    await this.#listening
    await this.#texts.send(text)
  }

  acceptPhone(socket: WebSocket): void {
    if (this.#closed) {
      socket.close(1012, 'restarting')
      return
    }
    const phone = this.#phones.accept(socket)
    this.#texts.bring(phone)
    this.#do(async () => {
      await this.#listening
      for (const leg of await this.#legs.ringing()) if (!SIMULATED_NUMBERS[leg.callee]) this.#ring(leg, phone)
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#rounds.end()
    for (const callId of this.#dialled.keys()) this.#do(() => this.hangUp(callId))
    this.#transfers.close()
    this.#pickUps.close()
    await this.#retries.close()
    while (this.#work.size > 0) await Promise.all(this.#work)
    this.#phones.close()
    for (const callId of [...this.#dialled.keys()]) this.#forget(callId)
    await (await this.#listening)?.()
    this.#texts.clear()
  }

  async #add(leg: SimulatedLeg): Promise<boolean> {
    try {
      return await this.#legs.add(leg)
    } catch (error) {
      // It may be stored nevertheless.
      this.#takeBack(leg.call_id)
      throw new CarrierRefusal('unavailable', 'The database cannot be reached; no call was placed.', {
        cause: error,
        mayPass: true,
      })
    }
  }

  /** Removes a leg of which no phone knows, before any rings. */
  #takeBack(callId: string): void {
    this.#do(() => this.#ends.end(callId, ['ringing'], 'canceled'))
  }

  /** Rings the number of a leg that is stored. */
  #begin({ call_id: callId, callee: to, transfer_of: origin }: SimulatedLeg, ringMs: number): void {
    const leg = new DialledLeg(this.#clock)
    this.#dialled.set(callId, leg)
    this.#rounds.begin()
    const number = SIMULATED_NUMBERS[to]
    if (!origin && (!number || number.rings)) this.#events?.onRinging(callId)
    if (number) {
      leg.after(number.endsAfterMs ?? ringMs, () =>
        this.#do(() => this.#ends.end(callId, ['ringing'], number.end)),
      )
      return
    }
    leg.after(ringMs, () => this.#do(() => this.#ends.end(callId, ['ringing'], 'no-answer')))
    this.#awaitCallee(callId, leg)
    this.#tell({ type: 'ring', callId })
  }

  #hear(notice: LineNotice | undefined): void {
    if (notice?.type === 'text') this.#texts.show(notice)
    else if (notice) this.#hearOfCall(notice)
  }

  #hearOfCall(notice: CallNotice): void {
    const { callId } = notice
    const leg = this.#dialled.get(callId)
    switch (notice.type) {
      case 'ring':
        if (this.#phones.size > 0)
          this.#do(async () => {
            for (const ringing of await this.#legs.ringing(callId)) this.#ring(ringing)
          })
        break
      case 'rings':
        leg?.rings(notice.process)
        break
      case 'silent':
        leg?.silent(notice.process, notice.why)
        if (leg?.isDeclined) this.#do(() => this.#ends.end(callId, ['ringing'], 'busy'))
        else if (leg && !leg.isRinging) this.#awaitCallee(callId, leg)
        break
      case 'answered':
        this.#phones.stop(callId, 'answered-elsewhere', notice.phone)
        leg?.stopTimers()
        leg?.after(CONNECT_MS, () => this.#do(() => this.#ends.end(callId, ['answered'], 'failed')))
        break
      case 'connected':
        this.#forget(callId)
        break
      case 'stop':
        this.#phones.stop(callId, notice.reason)
        this.#forget(callId)
        this.#transfers.legEnded(callId, notice.end)
        break
      case 'hang-up':
        this.#pickUps.hangUp(callId)
        break
    }
  }

  #ring(leg: SimulatedLeg, only?: Phone): void {
    if (!this.#phones.ring(leg, only)) return
    this.#rounds.begin()
    this.#tell({ type: 'rings', callId: leg.call_id, process: this.#process })
  }

  #awaitCallee(callId: string, leg: DialledLeg): void {
    leg.after(CALLEE_ANSWERS_MS, () => {
      if (!leg.isRinging) this.#do(() => this.#pickUps.byCallee(callId))
    })
  }

  /** This process has ended a leg. */
  #over({ call_id: callId, transfer_of: origin }: EndedLeg, end: LegEnd): void {
    this.#forget(callId)
    if (origin || this.#transfers.has(callId)) this.#transfers.legEnded(callId, end)
    else {
      this.#transfers.callEnded(callId)
      this.#events?.onEnded(callId, end)
    }
  }

  /** Where whoever has picked up comes to. Null where the call is over. */
  async #address(callId: string): Promise<string | null> {
    const rooms = this.#rooms
    if (!rooms) return null
    const secret = newSecret()
    const origin = await this.#legs.offerRoom(callId, hashOf(secret), CONNECT_MS)
    return origin ? rooms.guestAddress(callId, secret, origin) : await rooms.address(callId)
  }

  #openRoom(legId: string): () => void {
    const close = this.#rooms?.openGuestRoom(legId, {
      admit: (hash) => this.#legs.takeRoom(legId, hash),
      joined: (link, gone) => this.#do(() => this.#pickUps.joined(legId, link, gone)),
    })
    return close ?? (() => {})
  }

  #forget(callId: string): void {
    this.#dialled.get(callId)?.stopTimers()
    this.#dialled.delete(callId)
  }

  /** Finds changes of which no process was told. Notifications are lost while the listening connection is down. */
  async #look(): Promise<void> {
    const [dialled, rung] = [[...this.#dialled.keys()], this.#phones.ringing()]
    for (const callId of await this.#legs.forgotten()) await this.#ends.end(callId, ['answered'], 'failed')
    const waiting = await this.#legs.among(dialled, ['ringing', 'answered'])
    for (const callId of dialled)
      if (!waiting.has(callId) && !this.#ends.isEnding(callId)) {
        this.#forget(callId)
        if (!this.#pickUps.line(callId)) this.#transfers.legEnded(callId, 'failed')
      }
    if (rung.size === 0) return
    const ringing = new Set((await this.#legs.ringing()).map(({ call_id }) => call_id))
    for (const callId of rung) if (!ringing.has(callId)) this.#phones.silence(callId)
  }

  /** Tells all processes, in order within a call. Else one might think that a silent phone still rings. */
  #tell(notice: CallNotice): void {
    this.#do(() => this.#lanes.run(notice.callId, () => this.#notify(notice)))
  }

  async #notify(notice: LineNotice): Promise<void> {
    await this.#db.query('select pg_notify($1, $2)', [LINE_CHANNEL, JSON.stringify(notice)])
  }

  /** Runs work for whose end only `close` waits. */
  #do(work: () => Promise<unknown>): void {
    const done = work()
      .catch((error: unknown) => this.#logger.error({ err: error }, 'simulated carrier failed'))
      .then(() => void this.#work.delete(done))
    this.#work.add(done)
  }
}
