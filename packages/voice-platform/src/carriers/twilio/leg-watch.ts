import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import type { Logger } from 'pino'
import { Rounds } from '../../work/rounds.js'
import type { LegEnd } from '../carrier.js'
import type { LegStore, SilentLeg } from './leg-store.js'
import type { TwilioApi } from './twilio-api.js'
import { endOf } from './twilio-api.js'
import { UnnamedCalls } from './unnamed-calls.js'

/** How long a leg may be silent after its ringing should have ended, and between questions, in milliseconds. */
export const GRACE_MS = 30_000
/** After this many unanswered questions a leg that nobody has answered counts as failed. */
const MAX_UNANSWERED = 3
/** How long callbacks have to name a call whose placing stayed unclear, before Twilio's list is asked, in milliseconds. */
export const UNCLEAR_MS = 15_000
/** Most calls of which it is remembered that the list did not have them: twice in a row, and one counts as not placed. */
const NOT_LISTED_MOST = 1_000
/** How often a process looks for legs that are due, in milliseconds. */
const EVERY_MS = 5_000

export interface LegWatchOptions {
  legs: LegStore
  api: TwilioApi
  clock: Clock
  logger: Logger
  onPickedUp(callId: string): void
  end(callId: string, end: LegEnd): Promise<void>
  hangUp(callId: string): Promise<void>
  /** Runs work for whose end nobody waits. */
  background(work: () => Promise<unknown>): void
}

/**
 * Makes sure that every leg ends, whichever process dialled it. A status callback may be lost, and none comes if the public URL does not
 * reach us. Then Twilio is asked for the call's status, and first for its list of calls where it has not named the call. A call that
 * could not be hung up is hung up again.
 */
export class LegWatch {
  readonly #options: LegWatchOptions
  readonly #rounds: Rounds
  readonly #unnamed: UnnamedCalls
  /** Calls that Twilio's list did not have at the last look. */
  readonly #notListed = new RecentMap<string, true>(NOT_LISTED_MOST)
  #isOver = false
  /** Grows whenever there may be a leg. */
  #stirs = 1
  /** The value of `#stirs` when no process had a leg. */
  #foundNone = 0

  constructor(options: LegWatchOptions) {
    this.#options = options
    this.#unnamed = new UnnamedCalls(options.legs, options.api)
    this.#rounds = new Rounds({
      clock: options.clock,
      everyMs: EVERY_MS,
      needed: () => !this.#isOver && this.#foundNone < this.#stirs,
      go: () => options.background(() => this.#look()),
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

  async #look(): Promise<void> {
    const { legs } = this.#options
    const stirs = this.#stirs
    for (const leg of await legs.due(GRACE_MS))
      await this.#ask(leg).catch((error: unknown) => this.#warn(leg, error, 'twilio call not looked at'))
    if (!(await legs.any())) this.#foundNone = stirs
  }

  async #ask(leg: SilentLeg): Promise<void> {
    const { legs, api, logger, onPickedUp, end, hangUp } = this.#options
    const { call_id: callId, provider_id: sid, state, looked_in_vain: inVain } = leg
    if (sid === null) return await this.#adopt(leg)
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
    onPickedUp(callId)
    logger.warn({ callId, sid }, 'twilio brings no audio; check that PUBLIC_URL reaches this server')
    await end(callId, 'failed')
    await api.completeCall(sid)
  }

  /**
   * Nobody has said which call of Twilio's this is. The one that it can be is taken for it; none, and it counts as not placed. It is never
   * placed again: one that lives is hung up when its callbacks come.
   */
  async #adopt(leg: SilentLeg): Promise<void> {
    const { legs, logger, end, hangUp } = this.#options
    const { call_id: callId, looked_in_vain: inVain } = leg
    let found: Awaited<ReturnType<UnnamedCalls['candidates']>>
    let most = MAX_UNANSWERED
    const wasNotListed = this.#notListed.delete(callId)
    try {
      found = await this.#unnamed.candidates(callId)
      if (found === undefined || (found.length === 0 && wasNotListed)) most = 0
      else if (found.length === 0) this.#notListed.set(callId, true)
    } catch (error) {
      this.#warn(leg, error, 'twilio did not list its calls')
    }
    const [call, another] = found ?? []
    if (call && !another) {
      // A callback may have named it meanwhile.
      if (!(await legs.learn(callId, call.sid))) return
      logger.info({ callId, sid: call.sid }, 'twilio call found, whose placing had stayed unclear')
      const ended = endOf(call.status)
      if (ended !== undefined) return await end(callId, ended)
      if (leg.hanging_up) return await hangUp(callId)
      return await legs.setLookedInVain(callId, 0)
    }
    if (inVain + 1 < most) return await legs.setLookedInVain(callId, inVain + 1)
    const why = another ? 'has several calls that it may be' : 'never named the call'
    logger.warn({ callId }, `twilio ${why}; it counts as failed`)
    await end(callId, 'failed')
  }

  #warn({ call_id: callId, provider_id: sid }: SilentLeg, error: unknown, what: string): void {
    this.#options.logger.warn({ callId, sid, err: error }, what)
  }
}
