import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { dtmfTones } from '../../audio/dtmf-tones.js'
import { RING_EVERY_MS, ringingTone } from '../../audio/ringing-tone.js'
import type { Link } from '../../link/link.js'
import { CarrierRefusal, type LegEnd, type TransferEnd, type TransferRequest } from '../carrier.js'
import { E164 } from '../e164.js'
import type { SimulatedLeg } from './leg-store.js'
import { LiveSound } from './live-sound.js'
import type { Listener, PhoneLine } from './phone-line.js'

/** The platform's reason for a call that ends with the one that it was transferred to. */
const FORWARDED = 'assistant-forwarded-call'
/** Samples of the half second for which `w` waits. */
const WAIT_SAMPLES = 8_000

/** Why a call comes back, where that is no failure. A voicemail box is nobody. */
const COMES_BACK: Partial<Record<LegEnd, TransferEnd>> = {
  busy: 'busy',
  'no-answer': 'no-answer',
  voicemail: 'no-answer',
}

/** Nobody listens to the caller yet. */
const DEAF: Listener = { onAudio: () => {}, onDigit: () => {} }

export interface TransfersOptions {
  clock: Clock
  logger: Logger
  /** The line to the callee of this call, where they are in this process. */
  line(callId: string): PhoneLine | undefined
  /** Stores a leg. False where the call is being transferred already. */
  add(leg: SimulatedLeg): Promise<boolean>
  /** Rings the number of a leg that is stored. */
  ring(leg: SimulatedLeg): void
  /** Opens a room of this process for whoever picks up this leg. */
  openRoom(legId: string): () => void
  endLeg(legId: string): void
  hangUp(callId: string, endedReason: string): void
  onBack(callId: string, link: Link, why: TransferEnd): void
}

interface Transfer {
  callId: string
  legId: string
  caller: PhoneLine
  extension: string
  /** Null until somebody has answered. */
  callee: PhoneLine | null
  /** Ends the ringing tone that the caller hears. */
  stopTone(): void
  stopTime(): void
  closeRoom(): void
}

/**
 * Calls of this process that go on with another number. The number has a leg of its own and rings like any other; who answers it and the
 * caller hear each other. Whoever hangs up ends both. Where nobody answers, the call goes back to its session.
 */
export class Transfers {
  readonly #options: TransfersOptions
  readonly #byCall = new Map<string, Transfer>()
  readonly #byLeg = new Map<string, Transfer>()
  #closed = false

  constructor(options: TransfersOptions) {
    this.#options = options
  }

  /** See `Carrier.transfer`. */
  async begin({ callId, to, from, seconds, extension = '' }: TransferRequest): Promise<void> {
    const { clock, logger, line, add, ring, openRoom, endLeg, hangUp } = this.#options
    if (!E164.test(to))
      throw new CarrierRefusal('invalid-number', 'The number to call is not in the E.164 format.')
    const caller = line(callId)
    if (!caller || this.#closed || this.#byCall.has(callId)) throw notAnswered()
    const leg = { call_id: randomUUID(), caller: from, callee: to, transfer_of: callId }
    const legId = leg.call_id
    if (!(await add(leg)))
      throw new CarrierRefusal('already-transferred', `Call ${callId} is being transferred.`)
    if (line(callId) !== caller) {
      endLeg(legId)
      throw notAnswered()
    }
    const transfer: Transfer = {
      ...{ callId, legId, caller, extension, callee: null },
      stopTone: () => {},
      stopTime: clock.after(seconds * 1000, () => hangUp(callId, FORWARDED)),
      closeRoom: openRoom(legId),
    }
    this.#byCall.set(callId, transfer)
    this.#byLeg.set(legId, transfer)
    caller.take(DEAF)
    this.#tone(transfer)
    ring(leg)
    logger.info({ callId }, 'simulated call transferred')
  }

  /** Whether this leg is one that a call of this process is transferred to. */
  has(legId: string): boolean {
    return this.#byLeg.has(legId)
  }

  /** Somebody has answered, and their line has come: the two hear each other. */
  answered(legId: string, callee: PhoneLine): void {
    const transfer = this.#byLeg.get(legId)
    if (!transfer) {
      callee.close(FORWARDED)
      return
    }
    const { clock, logger } = this.#options
    const { caller, callId, extension } = transfer
    transfer.stopTone()
    void caller.sound.clear()
    transfer.callee = callee
    callee.lent.listening()
    for (const [from, to] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      const sound = new LiveSound(to.sound, clock)
      from.take({
        onAudio: (samples) => sound.pass(samples),
        onDigit: (key) => sound.pass(dtmfTones(key)),
      })
    }
    for (const key of extension)
      callee.sound.send(key === 'w' ? new Int16Array(WAIT_SAMPLES) : dtmfTones(key))
    logger.info({ callId }, 'transferred simulated call answered')
  }

  /** A leg is over. Idempotent; a leg that is none of these is ignored. */
  legEnded(legId: string, end: LegEnd): void {
    const transfer = this.#byLeg.get(legId)
    if (!transfer) return
    this.#forget(transfer)
    const { hangUp, onBack, line } = this.#options
    const { callId, caller, callee } = transfer
    if (callee || end === 'canceled' || this.#closed) hangUp(callId, FORWARDED)
    else if (line(callId) === caller) {
      void caller.sound.clear()
      onBack(callId, caller.lend(), COMES_BACK[end] ?? 'failed')
    }
  }

  /** The caller has gone. */
  callEnded(callId: string): void {
    const transfer = this.#byCall.get(callId)
    if (!transfer) return
    this.#forget(transfer)
    transfer.callee?.close(FORWARDED)
    this.#options.endLeg(transfer.legId)
  }

  /** Nothing is transferred any more. */
  close(): void {
    this.#closed = true
    for (const transfer of this.#byCall.values()) transfer.stopTone()
  }

  #forget(transfer: Transfer): void {
    transfer.stopTone()
    transfer.stopTime()
    transfer.closeRoom()
    this.#byCall.delete(transfer.callId)
    this.#byLeg.delete(transfer.legId)
  }

  /** The caller hears that it rings. */
  #tone(transfer: Transfer): void {
    transfer.caller.sound.send(ringingTone())
    transfer.stopTone = this.#options.clock.after(RING_EVERY_MS, () => this.#tone(transfer))
  }
}

const notAnswered = () => new CarrierRefusal('not_answered', 'The call is not answered here, or is over.')
