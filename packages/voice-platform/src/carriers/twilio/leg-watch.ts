import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { LegEnd } from '../carrier.js'
import { Rounds } from '../simulated/rounds.js'
import type { LegStore, SilentLeg } from './leg-store.js'
import type { TwilioApi } from './twilio-api.js'
import { endOf } from './twilio-api.js'

/** How long a leg may be silent after its ringing should have ended, and between questions, in milliseconds. */
export const GRACE_MS = 30_000
/** After this many unanswered questions a leg that nobody has answered counts as failed. */
const MAX_UNANSWERED = 3
/** How often a process looks for legs that are due, in milliseconds. */
const EVERY_MS = 5_000

export interface LegWatchOptions {
  legs: LegStore
  api: TwilioApi
  clock: Clock
  logger: Logger
  end(callId: string, end: LegEnd): Promise<void>
  hangUp(callId: string): Promise<void>
  /** Runs work for whose end nobody waits. */
  background(work: () => Promise<unknown>): void
}

/**
 * Makes sure that every leg ends, whichever process dialled it. A status callback may be lost, and none comes if the public URL does not
 * reach us. Then Twilio is asked for the call's status. A call that could not be hung up is hung up again.
 */
export class LegWatch {
  readonly #options: LegWatchOptions
  readonly #rounds: Rounds
  #isOver = false
  /** Grows whenever there may be a leg. */
  #stirs = 1
  /** The value of `#stirs` when no process had a leg. */
  #foundNone = 0

  constructor(options: LegWatchOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      clock: options.clock,
      everyMs: EVERY_MS,
      needed: () => !this.#isOver && this.#foundNone < this.#stirs,
      go: () => {
        const now = options.clock.now()
        options.background(() => this.#look(now))
      },
    })
  }

  /** There may be legs to look after, of this process or of one that is gone. */
  begin(): void {
    this.#stirs += 1
    this.#rounds.begin()
  }

  close(): void {
    this.#isOver = true
    this.#rounds.end()
  }

  async #look(now: number): Promise<void> {
    const { legs } = this.#options
    const stirs = this.#stirs
    for (const leg of await legs.due(now, now + GRACE_MS))
      await this.#ask(leg).catch((error: unknown) => this.#warn(leg, error, 'twilio call not looked at'))
    if (!(await legs.any())) this.#foundNone = stirs
  }

  async #ask(leg: SilentLeg): Promise<void> {
    const { legs, api, logger, end, hangUp } = this.#options
    const { call_id: callId, provider_id: sid, state, looked_in_vain: inVain } = leg
    if (sid === null) {
      logger.warn({ callId }, 'twilio never named the call; it counts as failed')
      return await end(callId, 'failed')
    }
    if (leg.hanging_up) return await hangUp(callId)
    const status = await api.callStatus(sid).catch((error: unknown) => {
      this.#warn(leg, error, 'twilio did not tell the status of the call')
      return undefined
    })
    const ended = endOf(status)
    if (ended !== undefined) return await end(callId, ended)
    if (status === undefined) {
      if (state === 'answered' || inVain + 1 < MAX_UNANSWERED)
        return await legs.setLookedInVain(callId, inVain + 1)
      return await end(callId, 'failed')
    }
    if (inVain > 0) await legs.setLookedInVain(callId, 0)
    if (status !== 'in-progress' || state === 'answered') return
    logger.warn({ callId, sid }, 'twilio brings no audio; check that PUBLIC_URL reaches this server')
    await end(callId, 'failed')
    await api.completeCall(sid)
  }

  #warn({ call_id: callId, provider_id: sid }: SilentLeg, error: unknown, what: string): void {
    this.#options.logger.warn({ callId, sid, err: error }, what)
  }
}
