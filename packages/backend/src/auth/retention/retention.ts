import { type Db, isDateSure } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'
import { LONGEST_WINDOW_MS } from '../factors/text-limits.js'
import { FORGOTTEN_AFTER_MS } from '../guards/rules.js'
import { isOurs } from '../ours.js'
import { IDLE_LIMIT_MS } from '../sessions/sessions.js'

const DAY_MS = 24 * 3_600_000

/** Rows of one statement: nobody shall wait long for it. */
const AT_ONCE = 500

/** What goes, and how long after the time in which column, in ms. */
const OLD = [
  { table: 'auth.attempts', column: 'updated_at', keptMs: FORGOTTEN_AFTER_MS },
  { table: 'auth.one_time_tokens', column: 'expires_at', keptMs: 0 },
  { table: 'auth.sessions', column: 'refreshed_at', keptMs: IDLE_LIMIT_MS },
  { table: 'auth.mfa_texts', column: 'sent_at', keptMs: LONGEST_WINDOW_MS },
  { table: 'auth.known_networks', column: 'seen_at', keptMs: 90 * DAY_MS },
  { table: 'auth.known_addresses', column: 'seen_at', keptMs: 90 * DAY_MS },
  { table: 'auth.audit_log_entries', column: 'created_at', keptMs: 400 * DAY_MS },
  // Nobody verifies with them any more: `SigningKeys` looks at younger ones only.
  { table: 'auth.signing_keys', column: 'retired_at', keptMs: DAY_MS },
] as const

/** Removes what is old every hour, a few hundred rows at a time. Processes share the work. */
export class Retention {
  readonly #db: Db
  readonly #clock: Clock
  readonly #logger: Logger
  #end = async () => {}
  #closed = false

  constructor({ db, clock, logger }: { db: Db; clock: Clock; logger: Logger }) {
    this.#db = db
    this.#clock = clock
    this.#logger = logger
  }

  start(): void {
    this.#end = everyHour({
      run: () => this.sweep(),
      onError: (err) => this.#logger.error({ err }, 'old rows of the auth wire were not removed'),
      clock: this.#clock,
    })
  }

  /** Removes all that is old now; nothing of a Supabase project's own accounts. */
  async sweep(): Promise<void> {
    if (!(await isOurs(this.#db)) || !(await isDateSure(this.#db, this.#logger))) return
    for (const old of OLD) {
      const removed = await this.#remove(old)
      // New rows take the place of these. A Postgres sees to that by itself.
      if (removed > 0 && this.#db.kind === 'pglite') await this.#db.query(`vacuum ${old.table}`)
    }
  }

  /** Resolves with how many rows it removed. */
  async #remove({ table, column, keptMs }: (typeof OLD)[number]): Promise<number> {
    const before = new Date(this.#clock.now() - keptMs)
    let removed = 0
    for (let last = AT_ONCE; last === AT_ONCE && !this.#closed; removed += last) {
      const { rowCount } = await this.#db.query(
        `delete from ${table} where ctid in (
           select ctid from ${table} where ${column} < $1 order by ${column} limit ${AT_ONCE} for update skip locked
         )`,
        [before],
      )
      last = rowCount
    }
    return removed
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }
}
