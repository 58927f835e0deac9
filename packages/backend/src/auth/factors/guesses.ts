import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Attempts } from '../guards/attempts.js'
import type { KnownPlaces } from '../guards/known-places.js'
import type { Place } from '../wire/networks.js'
import type { FactorRow } from './factor.js'
import { type Guesses, Lock } from './lock.js'

/** What somebody guesses at, and from where. */
export interface Guessed {
  factor: FactorRow
  userId: string
  place: Place
  /** Recovery codes are counted by themselves, and by place alone: nobody finds one of 80 bits. */
  isRecovery: boolean
}

/** Where the wrong codes are counted: in the factor's row, or under a key. */
type Counted = 'factor' | { key: string }

/**
 * Counts wrong codes. Those from places that the account doesn't know count for the factor. A place that it knows has a count of its own, so
 * that somebody who has the password alone locks no owner out. All run in the transaction that holds the account.
 */
export class CodeGuesses {
  readonly #attempts: Attempts
  readonly #places: KnownPlaces
  readonly #clock: Clock
  readonly #lock: Lock

  constructor({ attempts, places, clock }: { attempts: Attempts; places: KnownPlaces; clock: Clock }) {
    this.#attempts = attempts
    this.#places = places
    this.#clock = clock
    this.#lock = new Lock(clock)
  }

  /** Refuses while it is locked. */
  async demandOpen(tx: Queryable, guessed: Guessed): Promise<void> {
    this.#lock.demandOpen(await this.#read(tx, guessed, await this.#countedAt(tx, guessed)))
  }

  /** One more wrong code. */
  async wrong(tx: Queryable, guessed: Guessed): Promise<void> {
    const at = await this.#countedAt(tx, guessed)
    const { failures, locked_until } = this.#lock.afterWrong(await this.#read(tx, guessed, at))
    if (at === 'factor')
      await tx.query('update auth.mfa_factors set failures = $2, locked_until = $3 where id = $1', [
        guessed.factor.id,
        failures,
        locked_until,
      ])
    else
      await tx.query(
        `insert into auth.attempts (key, level, blocked_until, updated_at) values ($1, $2, $3, $4)
         on conflict (key) do update set level = excluded.level, blocked_until = excluded.blocked_until,
           updated_at = excluded.updated_at`,
        [at.key, failures, locked_until, new Date(this.#clock.now())],
      )
  }

  /** A right code clears the counts of its place; the factor's row is the caller's. */
  async right(tx: Queryable, guessed: Guessed): Promise<void> {
    const keys = [true, false].map((isRecovery) => this.#keysOf({ ...guessed, isRecovery }))
    await tx.query('delete from auth.attempts where key in (select jsonb_array_elements_text($1))', [
      keys.flatMap(({ address, network }) => [address, network]),
    ])
  }

  async #countedAt(tx: Queryable, guessed: Guessed): Promise<Counted> {
    const { place, userId, isRecovery } = guessed
    const known = await this.#places.ofAccount(tx, userId, this.#attempts.hashed(place))
    const keys = this.#keysOf(guessed)
    if (known === 'address') return { key: keys.address }
    return known === 'network' || isRecovery ? { key: keys.network } : 'factor'
  }

  #keysOf({ factor, userId, place, isRecovery }: Guessed) {
    const [what, of] = isRecovery ? ['recovery', userId] : ['code', factor.id]
    return this.#attempts.keysOf(what, of, place)
  }

  async #read(tx: Queryable, { factor }: Guessed, at: Counted): Promise<Guesses> {
    if (at === 'factor') return factor
    const { rows } = await tx.query<{ level: number; blocked_until: Date | null }>(
      'select level, blocked_until from auth.attempts where key = $1',
      [at.key],
    )
    const [row] = rows
    return { failures: row?.level ?? 0, locked_until: row?.blocked_until ?? null }
  }
}
