import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { type Place, placeOf } from '../wire/networks.js'
import { countUp } from './attempt-rows.js'
import type { Attempts } from './attempts.js'
import type { Known } from './known-places.js'
import type { Rule } from './rules.js'

/** So many are free; a tenth of them is forgotten each minute. */
const RULE: Rule = { free: 10, leakPerHour: 60, longestMs: 0 }

const ANYWHERE = placeOf('')

/** A right password of an account that has a second factor. */
export interface Passed {
  userId: string
  place: Place
  known: Known
}

/**
 * Counts right passwords that no second factor has followed yet. All places that the account doesn't know are counted together, a known network
 * by itself, and known addresses not at all. All run in the transaction that holds the account.
 */
export class Passes {
  readonly #attempts: Pick<Attempts, 'keysOf'>
  readonly #clock: Clock

  constructor({ attempts, clock }: { attempts: Pick<Attempts, 'keysOf'>; clock: Clock }) {
    this.#attempts = attempts
    this.#clock = clock
  }

  /** One more. Resolves with whether it was free. */
  async count(tx: Queryable, passed: Passed): Promise<boolean> {
    const key = this.#keyOf(passed)
    if (key === undefined) return true
    const level = await countUp(tx, { key, rule: RULE, now: this.#clock.now() })
    return level <= RULE.free
  }

  /** The second factor has followed one. */
  async followed(tx: Queryable, passed: Passed): Promise<void> {
    const key = this.#keyOf(passed)
    if (key === undefined) return
    await tx.query('update auth.attempts set level = greatest(0, level - 1) where key = $1', [key])
  }

  #keyOf({ userId, place, known }: Passed): string | undefined {
    if (known === 'address') return undefined
    if (known === 'network') return this.#attempts.keysOf('passed', userId, place).network
    return this.#attempts.keysOf('passed by strangers', userId, ANYWHERE).network
  }
}
