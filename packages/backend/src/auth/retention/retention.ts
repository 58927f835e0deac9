import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { LONGEST_WINDOW_MS } from '../factors/text-limits.js'
import { FORGOTTEN_AFTER_MS } from '../guards/rules.js'
import { IDLE_LIMIT_MS } from '../sessions/sessions.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Rows of one statement: nobody shall wait long for it. */
const AT_ONCE = 500

/** What goes, and how long after the time in which column, in ms. */
const OLD = [
  { table: 'auth.attempts', column: 'updated_at', keptMs: FORGOTTEN_AFTER_MS },
  { table: 'auth.one_time_tokens', column: 'expires_at', keptMs: 0 },
  { table: 'auth.sessions', column: 'refreshed_at', keptMs: IDLE_LIMIT_MS },
  { table: 'auth.mfa_texts', column: 'sent_at', keptMs: LONGEST_WINDOW_MS },
  { table: 'auth.known_networks', column: 'seen_at', keptMs: 90 * DAY_MS },
  { table: 'auth.audit_log_entries', column: 'created_at', keptMs: 400 * DAY_MS },
  // Nobody verifies with them any more: `SigningKeys` looks at younger ones only.
  { table: 'auth.signing_keys', column: 'retired_at', keptMs: DAY_MS },
] as const

/** Removes what is old, once an hour, a few hundred rows at a time. Processes share the work. */
export class Retention {
  readonly #db: Db
  readonly #clock: Clock
  readonly #logger: Logger
  #cancel: (() => void) | undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor({ db, clock, logger }: { db: Db; clock: Clock; logger: Logger }) {
    this.#db = db
    this.#clock = clock
    this.#logger = logger
  }

  /** From now on, every hour. */
  start(): void {
    if (this.#closed) return
    this.#cancel = this.#clock.after(HOUR_MS, () => {
      this.#running = this.sweep()
        .catch((err: unknown) => this.#logger.error({ err }, 'old rows of the auth wire were not removed'))
        .then(() => this.start())
    })
  }

  /** Removes all that is old now. */
  async sweep(): Promise<void> {
    for (const { table, column, keptMs } of OLD) {
      const before = new Date(this.#clock.now() - keptMs)
      let removed = AT_ONCE
      while (removed === AT_ONCE && !this.#closed) {
        const { rowCount } = await this.#db.query(
          `delete from ${table} where ctid in (
             select ctid from ${table} where ${column} < $1 order by ${column} limit ${AT_ONCE} for update skip locked
           )`,
          [before],
        )
        removed = rowCount
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel?.()
    await this.#running
  }
}
