import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import { type Clock, systemClock } from '../../clock.js'
import type { Link } from '../../link.js'
import {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type CarrierRooms,
  type DialRequest,
  type Leg,
  type LegEnd,
} from '../carrier.js'
import { CalleeLink } from './callee-link.js'
import { DialledLeg } from './dialled-leg.js'
import { LegStore } from './leg-store.js'
import { LINE_CHANNEL, type LineNotice, readNotice } from './line-notice.js'
import { type Phone, PhoneLine } from './phone-line.js'
import { SIMULATED_NUMBERS } from './simulated-numbers.js'

/** When no pocket phone rings after so long, the simulated callee answers. */
const CALLEE_ANSWERS_MS = 2_000

/** How long a phone that picked up may take to come into the room: longer than the room's address is good for. */
const CONNECT_MS = 20_000

const E164 = /^\+[1-9]\d{1,38}$/

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
 * Phone calls without a telephone network. A call rings every open pocket phone of every process, and the first answer gets it;
 * with no phone open a simulated callee answers after two seconds, listens and hangs up. `SIMULATED_NUMBERS` do as they say.
 */
export const createSimulatedCarrier = (options: SimulatedCarrierOptions): SimulatedCarrier =>
  new Simulated(options)

class Simulated implements SimulatedCarrier {
  readonly name = 'simulated'
  readonly #db: Db
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #legs: LegStore
  readonly #phones: PhoneLine
  readonly #process = randomUUID()
  readonly #dialled = new Map<string, DialledLeg>()
  readonly #links = new Map<string, Link>()
  readonly #work = new Set<Promise<void>>()
  #events: CarrierEvents | undefined
  #rooms: CarrierRooms | undefined
  #listening: Promise<() => Promise<void>> | undefined
  #closed = false

  constructor({ db, logger, clock = systemClock }: SimulatedCarrierOptions) {
    this.#db = db
    this.#logger = logger
    this.#clock = clock
    this.#legs = new LegStore(db)
    this.#phones = new PhoneLine({
      answer: (callId, phone) => this.#do(() => this.#phoneAnswers(callId, phone)),
      declined: (callId) => this.#tell({ type: 'declined', callId, process: this.#process }),
    })
  }

  connect(events: CarrierEvents, rooms: CarrierRooms): void {
    this.#events = events
    this.#rooms = rooms
    rooms.onJoin((callId, link, gone) => this.#do(() => this.#joined(callId, link, gone)))
    this.#listening = this.#db.listen(LINE_CHANNEL, (payload) => this.#hear(readNotice(payload)))
    this.#do(async () => {
      await this.#listening
      await this.#legs.removeOld()
    })
  }

  async dial({ callId, to, from, ringSeconds }: DialRequest): Promise<Leg> {
    if (!this.#events) throw new Error('The carrier is not connected; call connect before dial.')
    if (this.#closed) throw new CarrierRefusal('closed', 'The carrier is closing; no call was placed.')
    if (!E164.test(to))
      throw new CarrierRefusal('invalid-number', 'The number to call is not in the E.164 format.')
    await this.#listening
    if (!(await this.#legs.add({ call_id: callId, caller: from, callee: to })))
      throw new CarrierRefusal('already-dialled', `Call ${callId} was dialled before.`)
    const leg = new DialledLeg(this.#clock)
    this.#dialled.set(callId, leg)
    this.#start(callId, leg, to, ringSeconds * 1000)
    return { id: `simulated-${callId}` }
  }

  async hangUp(callId: string): Promise<void> {
    if (await this.#end(callId, ['ringing', 'answered'], 'canceled')) return
    const link = this.#links.get(callId)
    if (link) link.close('manually-canceled')
    else if (await this.#legs.exists(callId)) await this.#notify({ type: 'hang-up', callId })
  }

  acceptPhone(socket: WebSocket): void {
    if (this.#closed) {
      socket.close(1012, 'restarting')
      return
    }
    const phone = this.#phones.accept(socket)
    this.#do(async () => {
      await this.#listening
      for (const leg of await this.#legs.ringing()) {
        if (SIMULATED_NUMBERS[leg.callee]) continue
        await this.#notify({ type: 'rings', callId: leg.call_id, process: this.#process })
        phone.ring(leg)
      }
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all([...this.#dialled.keys()].map((callId) => this.hangUp(callId)))
    for (const link of this.#links.values()) link.close('worker-shutdown')
    while (this.#work.size > 0) await Promise.all(this.#work)
    this.#phones.close()
    await (await this.#listening)?.()
  }

  #start(callId: string, leg: DialledLeg, to: string, ringMs: number): void {
    const number = SIMULATED_NUMBERS[to]
    if (!number || number.rings) this.#events?.ringing(callId)
    if (number) {
      leg.after(number.endsAfterMs ?? ringMs, () =>
        this.#do(() => this.#end(callId, ['ringing'], number.end)),
      )
      return
    }
    leg.after(ringMs, () => this.#do(() => this.#end(callId, ['ringing'], 'no-answer')))
    leg.after(CALLEE_ANSWERS_MS, () => {
      if (!leg.isRinging) this.#do(() => this.#calleeAnswers(callId))
    })
    this.#tell({ type: 'ring', callId })
  }

  #hear(notice: LineNotice | undefined): void {
    if (!notice) return
    const { callId } = notice
    const leg = this.#dialled.get(callId)
    switch (notice.type) {
      case 'ring':
        if (this.#phones.size > 0) this.#do(() => this.#ring(callId))
        break
      case 'rings':
        leg?.rings(notice.process)
        break
      case 'declined':
        if (leg?.declined(notice.process)) this.#do(() => this.#end(callId, ['ringing'], 'busy'))
        break
      case 'answered':
        this.#phones.stop(callId, 'answered-elsewhere', notice.phone)
        leg?.stopTimers()
        leg?.after(CONNECT_MS, () => this.#do(() => this.#end(callId, ['answered'], 'failed')))
        break
      case 'connected':
        this.#forget(callId)
        break
      case 'stop':
        this.#phones.stop(callId, notice.reason)
        this.#forget(callId)
        break
      case 'hang-up':
        this.#links.get(callId)?.close('manually-canceled')
        break
    }
  }

  async #ring(callId: string): Promise<void> {
    const [leg] = await this.#legs.ringing(callId)
    if (!leg) return
    // Told first, so that no decline overtakes it.
    await this.#notify({ type: 'rings', callId, process: this.#process })
    this.#phones.ring(leg)
  }

  async #phoneAnswers(callId: string, phone: Phone): Promise<void> {
    if (!(await this.#legs.answer(callId))) return phone.stop(callId, 'answered-elsewhere')
    const roomUrl = await this.#rooms?.address(callId)
    if (roomUrl) phone.connect(callId, roomUrl)
    else {
      phone.stop(callId, 'canceled')
      await this.#end(callId, ['answered'], 'canceled')
    }
    await this.#notify({ type: 'answered', callId, phone: phone.id })
  }

  async #calleeAnswers(callId: string): Promise<void> {
    if (!(await this.#legs.answer(callId))) return
    const link = new CalleeLink(this.#clock)
    await this.#joined(callId, link, link.gone)
  }

  async #joined(callId: string, link: Link, gone: Promise<void>): Promise<void> {
    if (this.#closed || !(await this.#legs.connect(callId))) return link.close('manually-canceled')
    this.#links.set(callId, link)
    this.#events?.answered(callId, link)
    void gone.then(() => {
      this.#links.delete(callId)
      this.#do(() => this.#end(callId, ['connected'], 'hung-up'))
    })
    await this.#notify({ type: 'connected', callId })
  }

  /** Ends the leg, if it is in one of these states; true when it was. */
  async #end(callId: string, states: Parameters<LegStore['remove']>[1], end: LegEnd): Promise<boolean> {
    if (!(await this.#legs.remove(callId, states))) return false
    this.#forget(callId)
    this.#events?.ended(callId, end)
    const reason = end === 'no-answer' ? 'no-answer' : 'canceled'
    await this.#notify({ type: 'stop', callId, reason })
    return true
  }

  #forget(callId: string): void {
    this.#dialled.get(callId)?.stopTimers()
    this.#dialled.delete(callId)
  }

  #tell(notice: LineNotice): void {
    this.#do(() => this.#notify(notice))
  }

  async #notify(notice: LineNotice): Promise<void> {
    await this.#db.query('select pg_notify($1, $2)', [LINE_CHANNEL, JSON.stringify(notice)])
  }

  /** Does something of which nobody waits for the end, but `close`. */
  #do(work: () => Promise<unknown>): void {
    const done = work()
      .catch((error: unknown) => this.#logger.error({ err: error }, 'simulated carrier failed'))
      .then(() => void this.#work.delete(done))
    this.#work.add(done)
  }
}
