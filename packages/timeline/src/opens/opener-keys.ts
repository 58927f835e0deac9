import { createHmac, randomBytes } from 'node:crypto'
import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'

const DAY_MS = 86_400_000
const KEY_BYTES = 32
/** So much of the hash is stored, in bytes: nobody meets another one's by chance. */
const HASH_BYTES = 16

/** The day of a time in UTC, like 2026-05-01. */
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/**
 * The keys by which openers are hashed, one a day, the same in all processes. With its key gone, a hash leads to no address: those of all
 * addresses could be tried only with the key.
 */
export class OpenerKeys {
  readonly #db: Queryable
  readonly #clock: Pick<Clock, 'now'>
  #kept: { day: string; key: Buffer } | undefined

  constructor(db: Queryable, clock: Pick<Clock, 'now'>) {
    this.#db = db
    this.#clock = clock
  }

  /** What an address is called today. */
  async openerOf(address: string): Promise<string> {
    const key = await this.#keyOfToday()
    return createHmac('sha256', key).update(address).digest().subarray(0, HASH_BYTES).toString('base64url')
  }

  /** Forgets the keys from before yesterday. Yesterday's stays for processes whose clock is behind. */
  async forget(): Promise<void> {
    const now = this.#clock.now()
    if (this.#kept && this.#kept.day !== dayOf(now)) this.#kept = undefined
    await this.#db.query('delete from timeline.opener_keys where day < $1::date', [dayOf(now - DAY_MS)])
  }

  async #keyOfToday(): Promise<Buffer> {
    const day = dayOf(this.#clock.now())
    if (this.#kept?.day === day) return this.#kept.key
    // Whichever process comes first makes it.
    await this.#db.query(
      `insert into timeline.opener_keys (day, key) values ($1::date, decode($2, 'base64')) on conflict do nothing`,
      [day, randomBytes(KEY_BYTES).toString('base64')],
    )
    const { rows } = await this.#db.query<{ key: string }>(
      `select encode(key, 'base64') as key from timeline.opener_keys where day = $1::date`,
      [day],
    )
    if (!rows[0])
      throw new Error(`The key of ${day} for openers is gone: the clocks of two processes are days apart`)
    const key = Buffer.from(rows[0].key, 'base64')
    this.#kept = { day, key }
    return key
  }
}
