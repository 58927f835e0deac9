import type { Queryable } from '@heyline/database'

/** For how long a turn counts without being renewed, in seconds. */
const LEASE_SECONDS = 60
/** When it is tried again after a failure, in minutes, or sooner where backups are more frequent. */
const AGAIN_MINUTES = 15
const LONGEST_FAILURE = 500
/** In SQL: by how much the clocks of two machines may differ. */
const APART = "interval '1 minute'"

/** How the last scheduled backup went. */
export interface BackupFigures {
  /** Since the last that is whole began; undefined: there is none yet. */
  ageSeconds: number | undefined
  bytes: number | undefined
  /** No backup is whole since the last try that failed. */
  hasFailed: boolean
}

/**
 * Whose turn it is to make the scheduled backup, of all processes of a database. Times are the database's. A process that is lost loses its turn
 * after a minute, and another one begins anew.
 */
export class BackupTurns {
  readonly #db: Queryable
  readonly #holder: string

  /** @param holder names this process among the others. */
  constructor(db: Queryable, holder: string) {
    this.#db = db
    this.#holder = holder
  }

  /** Whether a backup is due and this process is to make it. Times further ahead than there can be are of a clock that ran ahead: they hold nobody up. */
  async take(everyMs: number): Promise<boolean> {
    await this.#db.query('insert into back_office.backups default values on conflict do nothing')
    const { rowCount } = await this.#db.query(
      `update back_office.backups
       set holder = $1, began_at = now(), lease_until = now() + $2::float8 * interval '1 second'
       where (due_at <= now() or due_at > now() + $3::float8 * interval '1 ms' + ${APART})
         and (lease_until < now() or lease_until > now() + $2::float8 * interval '1 second' + ${APART})`,
      [this.#holder, LEASE_SECONDS, everyMs],
    )
    return rowCount > 0
  }

  /** False: another process may be at it. */
  async renew(): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `update back_office.backups set lease_until = now() + $2::float8 * interval '1 second'
       where holder = $1 and lease_until >= now()`,
      [this.#holder, LEASE_SECONDS],
    )
    return rowCount > 0
  }

  /** A backup is whole; the next one is due so long after it began. */
  async done(everyMs: number, file: string, bytes: number): Promise<void> {
    await this.#db.query(
      `update back_office.backups
       set due_at = began_at + $2::float8 * interval '1 ms', done_at = began_at, file = $3, bytes = $4,
         failed_at = null, failure = null, holder = null, lease_until = '-infinity'
       where holder = $1`,
      [this.#holder, everyMs, file, bytes],
    )
  }

  async failed(everyMs: number, failure: string): Promise<void> {
    await this.#db.query(
      `update back_office.backups
       set due_at = now() + least($2::float8 * interval '1 ms', $3::float8 * interval '1 minute'), failed_at = now(), failure = $4,
         holder = null, lease_until = '-infinity'
       where holder = $1`,
      [this.#holder, everyMs, AGAIN_MINUTES, failure.slice(0, LONGEST_FAILURE)],
    )
  }

  /** Another process may have it at once. */
  async giveBack(): Promise<void> {
    await this.#db.query(
      "update back_office.backups set holder = null, lease_until = '-infinity' where holder = $1",
      [this.#holder],
    )
  }
}

/** Undefined where no backup was ever due. */
export async function readBackupFigures(db: Queryable): Promise<BackupFigures | undefined> {
  const { rows } = await db.query<{ age: number | null; bytes: number | null; failed: boolean }>(
    `select extract(epoch from now() - done_at)::float8 as age, bytes, failed_at is not null as failed from back_office.backups`,
  )
  const [row] = rows
  return row && { ageSeconds: row.age ?? undefined, bytes: row.bytes ?? undefined, hasFailed: row.failed }
}
