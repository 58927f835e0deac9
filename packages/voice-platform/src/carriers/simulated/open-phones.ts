import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { guarded } from '../../sockets/guarded.js'
import { Heartbeat } from '../../sockets/heartbeat.js'
import { Budget } from '../../work/budget.js'
import type { SimulatedLeg } from './leg-store.js'
import type { TextNotice } from './line-notice.js'
import { Phone } from './phone.js'

/** Longest message of a phone, in characters: an id and a word. */
const MAX_MESSAGE = 1_000

/** Pings of one phone that are answered: on average a second, and at once. A phone sends one a second. */
const PINGS = { perSecond: 5, atOnce: 10 }

const phoneMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('answer'), callId: z.uuid() }),
  z.strictObject({ type: z.literal('decline'), callId: z.uuid() }),
  z.strictObject({ type: z.literal('ping') }),
])

export interface OpenPhonesEvents {
  /** A phone picked up: answer it with `connect`, or tell it to `stop`. */
  onAnswer(callId: string, phone: Phone): void
  /** None of this process's phones rings for the call any more: somebody has declined it, or all were closed. */
  onSilent(callId: string, why: 'declined' | 'left'): void
  /** The phone that won the call was put down before it came into the room. */
  onHungUp(callId: string): void
}

export interface OpenPhonesOptions extends OpenPhonesEvents {
  clock: Clock
  logger: Logger
}

/** The pocket phones that are open in this process. A phone that sends nonsense is closed with 1007. Pings find the phones that are gone. */
export class OpenPhones {
  readonly #options: OpenPhonesOptions
  readonly #phones = new Set<Phone>()

  constructor(options: OpenPhonesOptions) {
    this.#options = options
  }

  accept(socket: WebSocket): Phone {
    const { clock, logger } = this.#options
    const phone = new Phone(socket, new Budget(clock, PINGS))
    this.#phones.add(phone)
    const fail = () => phone.close(1011, 'the carrier has failed')
    const heartbeat = new Heartbeat(socket, clock)
    const read = (data: RawData, isBinary: boolean) => {
      heartbeat.beat()
      this.#read(phone, data, isBinary)
    }
    socket.on('message', guarded(read, { logger, fail }))
    socket.on(
      'close',
      guarded(() => this.#gone(phone), { logger, fail }),
    )
    // A socket in error closes itself, and `close` follows.
    socket.on('error', () => undefined)
    return phone
  }

  get size(): number {
    return this.#phones.size
  }

  /** The calls that any phone rings for. */
  ringing(): Set<string> {
    return new Set([...this.#phones].flatMap((phone) => phone.ringing()))
  }

  /** Rings every phone that has not rung for the call, or only this one. True when any phone rings. */
  ring(leg: SimulatedLeg, only?: Phone): boolean {
    for (const phone of this.#phones) if (!only || only === phone) phone.ring(leg)
    return this.#has(leg.call_id, 'ringing')
  }

  /** Stops the call's ringing on all phones but the winner. */
  stop(callId: string, reason: Parameters<Phone['stop']>[1], winner?: string): void {
    for (const phone of this.#phones) if (phone.id !== winner) phone.stop(callId, reason)
  }

  /** Stops the phones that still ring. Those that were picked up stay. */
  silence(callId: string): void {
    for (const phone of this.#phones) if (phone.part(callId) === 'ringing') phone.stop(callId, 'canceled')
  }

  /** Shows a text on every phone. */
  show(text: TextNotice): void {
    for (const phone of this.#phones) phone.show(text)
  }

  close(): void {
    for (const phone of this.#phones) phone.close(1001, 'the phone line closes')
    this.#phones.clear()
  }

  #read(phone: Phone, data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : readMessage(data.toString())
    if (!message) {
      phone.close(1007, 'not a message of a phone')
      return
    }
    if (message.type === 'ping') {
      phone.answerPing()
      return
    }
    const { type, callId } = message
    // A phone answers what it was rung for, and nothing else.
    if (type === 'answer') {
      if (phone.pickUp(callId)) this.#options.onAnswer(callId, phone)
      return
    }
    const part = phone.putDown(callId)
    if (part === 'ringing') this.#falls(callId)
    else if (part === 'joining') this.#options.onHungUp(callId)
  }

  #gone(phone: Phone): void {
    // All phones were closed together.
    if (!this.#phones.has(phone)) return
    for (const callId of phone.gone()) this.#falls(callId)
    this.#phones.delete(phone)
  }

  /** One phone fewer rings for the call. */
  #falls(callId: string): void {
    if (this.#has(callId, 'ringing') || this.#has(callId, 'answering')) return
    this.#options.onSilent(callId, this.#has(callId, 'declined') ? 'declined' : 'left')
  }

  #has(callId: string, part: ReturnType<Phone['part']>): boolean {
    return [...this.#phones].some((phone) => phone.part(callId) === part)
  }
}

function readMessage(text: string): z.infer<typeof phoneMessage> | undefined {
  if (text.length > MAX_MESSAGE) return undefined
  try {
    return phoneMessage.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
