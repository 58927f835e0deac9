import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { Retries } from '../../work/retries.js'
import type { CarrierEvents, LegEnd } from '../carrier.js'
import type { LegRow, LegStore } from './leg-store.js'
import type { OpenStreams } from './open-streams.js'
import type { TwilioTransfers } from './twilio-transfer.js'

/** Ends that are told as they are, also where we asked for the end. */
const ENDED_ITSELF: ReadonlySet<LegEnd> = new Set(['busy', 'misdialed', 'failed'])

export interface LegEndsOptions {
  legs: LegStore
  streams: OpenStreams
  transfers: TwilioTransfers
  clock: Clock
  logger: Logger
  onPickedUp(callId: string): void
  onEnded: CarrierEvents['onEnded']
}

/** Ends of calls that were answered. Twilio may not have told so before: its callbacks may be lost. */
const WAS_ANSWERED: ReadonlySet<LegEnd> = new Set(['hung-up', 'voicemail'])

/** Ends legs. Of all processes only the one that removed a leg reports its end. */
export class LegEnds {
  readonly #options: LegEndsOptions
  readonly #retries: Retries

  constructor(options: LegEndsOptions) {
    this.#options = options
    this.#retries = new Retries(options.clock)
  }

  /** Ends the leg, even if the database is away for long. The session learns first that the caller has left, then the platform. */
  async end(callId: string, end: LegEnd): Promise<void> {
    const { streams, transfers, logger, onPickedUp, onEnded } = this.#options
    transfers.forget(callId)
    streams.leave(callId)
    const leg = await this.remove(callId)
    if (leg === undefined) return
    const isCanceled = leg.hanging_up && leg.state !== 'answered' && !ENDED_ITSELF.has(end)
    const told = isCanceled ? 'canceled' : end
    logger.info({ callId, sid: leg.provider_id, end: told }, 'twilio call ended')
    if (WAS_ANSWERED.has(told)) onPickedUp(callId)
    onEnded(callId, told)
  }

  /** Removes the leg, and reports nothing. Resolves with it where this process was the one that did. */
  remove(callId: string): Promise<LegRow | undefined> {
    const { legs, logger } = this.#options
    return this.#retries.run(
      () => legs.remove(callId),
      (error) =>
        logger.warn({ callId, err: error }, 'end of a twilio call not stored yet; it is tried again'),
    )
  }

  /** What waits is tried once more. Resolves when nothing runs. */
  close(): Promise<void> {
    return this.#retries.close()
  }
}
