import { randomUUID } from 'node:crypto'
import type { PhoneServerMessage } from '@heyline/room-protocol'
import type { WebSocket } from 'ws'
import type { Budget } from '../../work/budget.js'
import type { SimulatedLeg } from './leg-store.js'
import type { TextNotice } from './line-notice.js'

/**
 * A phone's part in a call:
 * - `ringing`: it rings.
 * - `answering`: somebody picked it up, and it is not known yet which phone was first.
 * - `joining`: it was the first, and is on its way into the room.
 * - `declined`: somebody declined the call.
 * - `over`: the call is no longer its own.
 */
export type PhonePart = 'ringing' | 'answering' | 'joining' | 'declined' | 'over'

/** One open pocket phone, and its part in each call. No call rings it twice. */
export class Phone {
  readonly id = randomUUID()
  readonly #parts = new Map<string, PhonePart>()
  readonly #socket: WebSocket
  readonly #pings: Budget

  /** `pings` is how many of its pings are answered. */
  constructor(socket: WebSocket, pings: Budget) {
    this.#socket = socket
    this.#pings = pings
  }

  part(callId: string): PhonePart | undefined {
    return this.#parts.get(callId)
  }

  /** The calls that it rings for. */
  ringing(): string[] {
    return [...this.#parts].flatMap(([callId, part]) => (part === 'ringing' ? [callId] : []))
  }

  /** A call is not transferred to the phone that it comes from. */
  ring({ call_id: callId, caller: from, callee: to, transfer_of: origin }: SimulatedLeg): void {
    if (this.#parts.has(callId) || (origin && this.part(origin) === 'joining')) return
    this.#parts.set(callId, 'ringing')
    this.#send({ type: 'ring', callId, from, to })
  }

  /** Somebody picks up. True if it rings. */
  pickUp(callId: string): boolean {
    if (this.part(callId) !== 'ringing') return false
    this.#parts.set(callId, 'answering')
    return true
  }

  /** The phone has won the call and joins this room. False when it was put down meanwhile. */
  connect(callId: string, roomUrl: string): boolean {
    if (this.part(callId) !== 'answering') return false
    this.#parts.set(callId, 'joining')
    this.#send({ type: 'answered', callId, roomUrl })
    return true
  }

  /** Somebody puts it down. Returns the part that it had. */
  putDown(callId: string): PhonePart | undefined {
    const part = this.part(callId)
    if (part) this.#parts.set(callId, part === 'ringing' ? 'declined' : 'over')
    return part
  }

  stop(callId: string, reason: Extract<PhoneServerMessage, { type: 'stop' }>['reason']): void {
    const part = this.part(callId)
    if (part !== 'ringing' && part !== 'answering') return
    this.#parts.set(callId, 'over')
    this.#send({ type: 'stop', callId, reason })
  }

  show(text: TextNotice): void {
    this.#send(text)
  }

  /** It asks whether the line still stands. One that asks too often hears nothing. */
  answerPing(): void {
    if (this.#pings.spend()) this.#send({ type: 'pong' })
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** The phone is gone. Returns the calls that it rang for. */
  gone(): string[] {
    const ringing = this.ringing()
    for (const callId of this.#parts.keys()) this.#parts.set(callId, 'over')
    return ringing
  }

  #send(message: PhoneServerMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }
}
