import type { Logger } from 'pino'
import type { TwilioApi } from './twilio-api.js'
import { endOf } from './twilio-api.js'
import type { TwilioLeg } from './twilio-leg.js'

/** How long a leg may be silent after its ringing should have ended, and between questions, in milliseconds. */
export const GRACE_MS = 30_000
/** After this many unanswered questions a leg counts as failed. */
const MAX_UNANSWERED = 3

/**
 * Makes sure that every leg ends. A status callback may be lost, and none comes if the public URL does not reach us. Then Twilio is
 * asked for the call's status.
 */
export class LegWatch {
  readonly #api: TwilioApi
  readonly #logger: Logger

  constructor(api: TwilioApi, logger: Logger) {
    this.#api = api
    this.#logger = logger
  }

  /** Checks the leg after this many milliseconds, unless it is answered or over by then. Replaces an earlier watch. */
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
      this.#logger.warn({ callId, sid, err: error }, 'twilio did not tell the status of the call')
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
