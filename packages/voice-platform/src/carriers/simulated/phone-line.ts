import { randomUUID } from 'node:crypto'
import type { PhoneServerMessage } from '@heyline/room-protocol'
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import type { SimulatedLeg } from './leg-store.js'

/** Longest message of a phone, in bytes: an id and a word. */
const MAX_MESSAGE_BYTES = 1_000

const phoneMessage = z.strictObject({ type: z.enum(['answer', 'decline']), callId: z.uuid() })

export interface PhoneLineHandlers {
  /** A phone picked up: answer it with `connect`, or tell it to `stop`. */
  answer(callId: string, phone: Phone): void
  /** The last phone of this process that rang for the call has declined. */
  declined(callId: string): void
}

/** One open pocket phone. */
export class Phone {
  readonly id = randomUUID()
  /** The calls that it rings for. */
  readonly ringing = new Set<string>()
  /** Every call that it was rung for: none rings twice. */
  readonly #rung = new Set<string>()
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  ring({ call_id: callId, caller: from, callee: to }: SimulatedLeg): void {
    if (this.#rung.has(callId)) return
    this.#rung.add(callId)
    this.ringing.add(callId)
    this.#send({ type: 'ring', callId, from, to })
  }

  /** It has won the call, and joins this room. */
  connect(callId: string, roomUrl: string): void {
    this.ringing.delete(callId)
    this.#send({ type: 'answered', callId, roomUrl })
  }

  stop(callId: string, reason: Extract<PhoneServerMessage, { type: 'stop' }>['reason']): void {
    if (this.ringing.delete(callId)) this.#send({ type: 'stop', callId, reason })
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  #send(message: PhoneServerMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }
}

/** The pocket phones that are open in this process. One that sends nonsense is closed with 1007. */
export class PhoneLine {
  readonly #handlers: PhoneLineHandlers
  readonly #phones = new Set<Phone>()

  constructor(handlers: PhoneLineHandlers) {
    this.#handlers = handlers
  }

  accept(socket: WebSocket): Phone {
    const phone = new Phone(socket)
    this.#phones.add(phone)
    socket.on('message', (data, isBinary) => this.#read(phone, data, isBinary))
    socket.on('close', () => this.#phones.delete(phone))
    // A socket in error closes itself, and `close` follows.
    socket.on('error', () => undefined)
    return phone
  }

  get size(): number {
    return this.#phones.size
  }

  ring(leg: SimulatedLeg): void {
    for (const phone of this.#phones) phone.ring(leg)
  }

  /** Stops the call's ringing, but for the phone that has it. */
  stop(callId: string, reason: Parameters<Phone['stop']>[1], winner?: string): void {
    for (const phone of this.#phones) if (phone.id !== winner) phone.stop(callId, reason)
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
    const { type, callId } = message
    // A phone answers what it was rung for, and nothing else.
    if (!phone.ringing.has(callId)) return
    if (type === 'answer') this.#handlers.answer(callId, phone)
    else this.#decline(callId, phone)
  }

  #decline(callId: string, phone: Phone): void {
    phone.ringing.delete(callId)
    if (![...this.#phones].some(({ ringing }) => ringing.has(callId))) this.#handlers.declined(callId)
  }
}

function readMessage(text: string): z.infer<typeof phoneMessage> | undefined {
  if (text.length > MAX_MESSAGE_BYTES) return undefined
  try {
    return phoneMessage.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
