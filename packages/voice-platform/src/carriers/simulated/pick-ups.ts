import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Link } from '../../link/link.js'
import type { CarrierRooms } from '../carrier.js'
import { CalleeLink } from './callee-link.js'
import type { LegEnds } from './leg-ends.js'
import type { LegStore } from './leg-store.js'
import type { Phone } from './phone.js'
import { PhoneLine } from './phone-line.js'

/** Closes the link of a call that could not be connected: the platform's reason for a leg that ends as `failed`. */
const NOT_CONNECTED = 'call.in-progress.error-providerfault-transport-never-connected'

export interface PickUpsOptions {
  legs: LegStore
  ends: LegEnds
  clock: Clock
  logger: Logger
  /** Whoever picked up has come, over this line. */
  onAnswered(callId: string, line: PhoneLine): void
  /** Their line has ended. */
  onGone(callId: string): void
  address: CarrierRooms['address']
  /** Runs work for whose end nobody waits. */
  background(work: () => Promise<unknown>): void
}

/** Calls that are picked up in this process, from the answer to the link and its end. */
export class PickUps {
  readonly #options: PickUpsOptions
  readonly #lines = new Map<string, PhoneLine>()
  #closed = false

  constructor(options: PickUpsOptions) {
    this.#options = options
  }

  /** Somebody picked up a phone: it gets the call's room, or is told to stop. */
  async byPhone(callId: string, phone: Phone): Promise<void> {
    const { legs, ends, address, logger } = this.#options
    let isOurs = false
    try {
      isOurs = await legs.answer(callId, phone.id)
      if (!isOurs) return phone.stop(callId, 'answered-elsewhere')
      const roomUrl = await address(callId)
      if (!roomUrl) {
        phone.stop(callId, 'canceled')
        return await ends.end(callId, ['answered'], 'canceled')
      }
      if (!phone.connect(callId, roomUrl)) await ends.end(callId, ['answered'], 'hung-up')
    } catch (error) {
      logger.warn({ callId, err: error }, 'a phone picked up and could not be connected')
      phone.stop(callId, 'canceled')
      if (isOurs) await ends.end(callId, ['answered'], 'failed')
    }
  }

  /** The simulated callee picks up, unless somebody was faster. */
  async byCallee(callId: string): Promise<void> {
    const { legs, clock } = this.#options
    if (!(await legs.answer(callId))) return
    const link = new CalleeLink(clock)
    await this.joined(callId, link, link.gone)
  }

  /** Whoever picked up has come into the room. */
  async joined(callId: string, link: Link, gone: Promise<void>): Promise<void> {
    const { legs, ends, onAnswered, onGone, background, logger } = this.#options
    try {
      if (this.#closed || !(await legs.connect(callId))) return link.close('manually-canceled')
    } catch (error) {
      logger.warn({ callId, err: error }, 'somebody came into the room and could not be connected')
      link.close(NOT_CONNECTED)
      return await ends.end(callId, ['answered', 'connected'], 'failed')
    }
    const line = new PhoneLine(link)
    this.#lines.set(callId, line)
    onAnswered(callId, line)
    void gone.then(() => {
      this.#lines.delete(callId)
      onGone(callId)
      background(() => ends.end(callId, ['connected'], 'hung-up'))
    })
  }

  /** The line to the call's callee, where they are in this process. */
  line(callId: string): PhoneLine | undefined {
    return this.#lines.get(callId)
  }

  /** Hangs up on the call's callee. False when this process has none. */
  hangUp(callId: string, endedReason = 'manually-canceled'): boolean {
    const line = this.#lines.get(callId)
    line?.close(endedReason)
    return line !== undefined
  }

  /** Hangs up on everybody. Nobody else is let in. */
  close(): void {
    this.#closed = true
    for (const line of this.#lines.values()) line.close('worker-shutdown')
  }
}
