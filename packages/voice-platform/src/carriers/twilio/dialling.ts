import type { Logger } from 'pino'
import { CarrierRefusal, type DialGuard, type DialRequest, type Leg } from '../carrier.js'
import { callForm } from './call-form.js'
import type { LegEnds } from './leg-ends.js'
import type { LegStore } from './leg-store.js'
import { GRACE_MS, type LegWatch, UNCLEAR_MS } from './leg-watch.js'
import { type TwilioApi, TwilioError } from './twilio-api.js'

/** Twilio lets a phone ring for 1 to 600 seconds. */
const MAX_RING_SECONDS = 600

export interface DiallingOptions {
  legs: LegStore
  ends: LegEnds
  watch: LegWatch
  api: TwilioApi
  publicUrl: string
  /** Whether Twilio listens for answering machines at all. */
  hearsMachines: boolean
  hangUp(callId: string): Promise<void>
  /** Runs work for whose end nobody waits. */
  background(work: () => Promise<unknown>): void
  logger: Logger
}

/** Places calls, each once: its leg is stored before Twilio is asked. */
export class Dialling {
  readonly #options: DiallingOptions
  /** Calls that Twilio is asked for now, with its id of each. */
  readonly #placing = new Map<string, Promise<string>>()

  constructor(options: DiallingOptions) {
    this.#options = options
  }

  /** See `Carrier.dial`. */
  async dial({ callId, to, from, ...request }: DialRequest, guard?: DialGuard): Promise<Leg> {
    const { legs, ends, watch, api, publicUrl, hearsMachines, background, logger } = this.#options
    const ringSeconds = Math.min(MAX_RING_SECONDS, Math.max(1, Math.ceil(request.ringSeconds)))
    const machines = hearsMachines ? request.machines : undefined
    if (!(await this.#add(callId, ringSeconds, machines)))
      throw new TwilioError('already_dialled', `Call ${callId} was dialled before.`)
    watch.begin()
    const placing = api.createCall(callForm({ callId, to, from, ringSeconds, machines, publicUrl }), guard)
    this.#placing.set(callId, placing)
    try {
      const sid = await placing
      logger.info({ callId, sid }, 'twilio call placed')
      await this.#learn(callId, sid)
      return { id: sid }
    } catch (error) {
      // Nothing is reported of a call that was not placed.
      if (error instanceof CarrierRefusal) background(() => ends.remove(callId))
      else background(() => legs.lookSooner(callId, UNCLEAR_MS))
      throw error
    } finally {
      this.#placing.delete(callId)
    }
  }

  /** Twilio's id of the call, once it is placed. */
  async sidOf(callId: string): Promise<string | null | undefined> {
    // `dial` reports its own failure. Here it only matters whether there is a sid by now.
    const placed = await this.#placing.get(callId)?.catch(() => undefined)
    return placed ?? (await this.#options.legs.find(callId))?.provider_id
  }

  /** Rejects with a `CarrierRefusal` where the database is away: no call was placed. */
  async #add(callId: string, ringSeconds: number, machines: DialRequest['machines']): Promise<boolean> {
    const { legs, ends, background } = this.#options
    try {
      return await legs.add(callId, ringSeconds * 1000 + GRACE_MS, machines)
    } catch (error) {
      // It may be stored nevertheless.
      background(() => ends.remove(callId))
      const message = 'The database cannot be reached; no call was placed.'
      throw new CarrierRefusal('unavailable', message, { cause: error, mayPass: true })
    }
  }

  /** Never rejects: the first callback tells the sid, too. */
  async #learn(callId: string, sid: string): Promise<void> {
    const { legs, hangUp, background, logger } = this.#options
    try {
      const leg = await legs.learn(callId, sid)
      if (leg?.hanging_up) background(() => hangUp(callId))
    } catch (error) {
      logger.warn({ callId, sid, err: error }, 'the id of a twilio call is not stored; its callbacks tell it')
    }
  }
}
