import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { AuthError } from '../wire/auth-error.js'
import { countUp } from './attempt-rows.js'
import type { Attempts } from './attempts.js'
import { HOUR_MS, type Rule } from './rules.js'

/** What an account makes, how often for nothing, and how many of them are forgotten in an hour. */
const QUOTAS = {
  /** Sets of them. */
  'recovery codes': { free: 10, leakPerHour: 10, longestMs: 0 },
  /** Wrong codes of each are counted by themselves. */
  factors: { free: 30, leakPerHour: 60, longestMs: 0 },
} satisfies Record<string, Rule>

/** Bounds what an account makes, replaces and makes again. All run in the transaction that holds the account. */
export class Quotas {
  readonly #attempts: Pick<Attempts, 'keyOf'>
  readonly #clock: Clock

  constructor({ attempts, clock }: { attempts: Pick<Attempts, 'keyOf'>; clock: Clock }) {
    this.#attempts = attempts
    this.#clock = clock
  }

  /** Counts one more. Rejects with 429 `over_request_rate_limit` where there were too many; such a one is not counted. */
  async take(tx: Queryable, what: keyof typeof QUOTAS, userId: string): Promise<void> {
    const rule = QUOTAS[what]
    const key = this.#attempts.keyOf(what, userId)
    const beyond = (await countUp(tx, { key, rule, now: this.#clock.now() })) - rule.free
    if (beyond <= 0) return
    const waitMs = (beyond / rule.leakPerHour) * HOUR_MS
    const minutes = Math.ceil(waitMs / 60_000)
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
    throw AuthError.tooMany(`Too many new ${what}. Try again in ${wait}.`, waitMs)
  }
}
