import type { Logger } from 'pino'
import type { Retries } from '../../work/retries.js'
import type { LegEnd } from '../carrier.js'
import type { EndedLeg, LegState, LegStore } from './leg-store.js'

export interface LegEndsOptions {
  legs: LegStore
  retries: Retries
  logger: Logger
  /** This process has ended the leg, and reports it. */
  onOver(leg: EndedLeg, end: LegEnd): void
}

/** Ends legs. Of all processes only the one that ended a leg reports it. */
export class LegEnds {
  readonly #options: LegEndsOptions
  readonly #underWay = new Set<string>()

  constructor(options: LegEndsOptions) {
    this.#options = options
  }

  /** Ends the leg if it is in one of these states. True when it was. */
  async tryEnd(callId: string, states: readonly LegState[], end: LegEnd): Promise<boolean> {
    const { legs, onOver } = this.#options
    this.#underWay.add(callId)
    try {
      const leg = await legs.remove(callId, states, end)
      if (!leg) return false
      onOver(leg, end)
      return true
    } finally {
      this.#underWay.delete(callId)
    }
  }

  /** Whether this process is just ending the leg: it may be gone, and its end is told in a moment. */
  isEnding(callId: string): boolean {
    return this.#underWay.has(callId)
  }

  /** Ends the leg if it is in one of these states, even if the database is away for long. */
  async end(callId: string, states: readonly LegState[], end: LegEnd): Promise<void> {
    const { legs, retries, logger, onOver } = this.#options
    let hasFailed = false
    const attempt = async () => {
      if (await this.tryEnd(callId, states, end)) return
      // A try that failed may have been stored nevertheless. Then the leg is gone, and nobody has reported it.
      if (hasFailed && !(await legs.exists(callId))) onOver({ call_id: callId }, end)
    }
    await retries.run(attempt, (error) => {
      hasFailed = true
      logger.warn({ callId, err: error }, 'end of a simulated call not stored yet; it is tried again')
    })
  }
}
