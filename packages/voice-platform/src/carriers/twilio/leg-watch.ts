import type { Logger } from 'pino'
import type { TwilioApi } from './twilio-api.js'
import { endOf } from './twilio-api.js'
import type { TwilioLeg } from './twilio-leg.js'

/** How long a leg may be silent after its ringing should have ended, and between questions. */
export const GRACE_MS = 30_000
/** After so many questions without an answer a leg counts as failed. */
const MAX_UNANSWERED = 3

/**
 * Sees to it that every leg comes to an end. A status callback may be lost, and a public URL that does not reach us brings
 * none at all: then Twilio is asked how the call fares.
 */
export class LegWatch {
  readonly #api: TwilioApi
  readonly #logger: Logger

  constructor(api: TwilioApi, logger: Logger) {
    this.#api = api
    this.#logger = logger
  }

  /** Looks after the leg in so many milliseconds, unless it is answered or over by then. Replaces an earlier watch. */
  start(leg: TwilioLeg, milliseconds: number): void {
    this.#set(leg, milliseconds, 0)
  }

  #set(leg: TwilioLeg, milliseconds: number, unanswered: number): void {
    leg.watch(milliseconds, () => void this.#look(leg, unanswered))
  }

  async #look(leg: TwilioLeg, unanswered: number): Promise<void> {
    const { callId, sid } = leg
    if (sid === undefined) {
      this.#logger.warn({ callId }, 'twilio never named the call; it counts as failed')
      return leg.end('failed')
    }
    const status = await this.#api.callStatus(sid).catch((error: unknown) => {
      this.#logger.warn({ callId, sid, err: error }, 'twilio did not say how the call fares')
      return undefined
    })
    const end = endOf(status)
    if (end !== undefined) return leg.end(end)
    const lives = status === undefined ? unanswered + 1 < MAX_UNANSWERED : status !== 'in-progress'
    if (lives) return this.#set(leg, GRACE_MS, status === undefined ? unanswered + 1 : 0)
    if (leg.answered || leg.over) return
    this.#logger.warn({ callId, sid }, 'twilio brings no audio; check that PUBLIC_URL reaches this process')
    leg.end('failed')
    await this.#api.completeCall(sid).catch((error: unknown) => {
      this.#logger.warn({ callId, sid, err: error }, 'twilio call not hung up; it may go on')
    })
  }
}
