import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from '../db/database-error.js'
import type { Db, Queryable } from '../db/db.js'
import { compareApplied, keepApplied, readApplied } from './applied.js'
import { MigrationError } from './migration-error.js'
import { type Migration, type MigrationFolder, readMigrationFolder } from './migration-folder.js'

export interface MigrationReport {
  /** Whether the database is a Supabase project, which brings its own roles. */
  hosted: boolean
  /** Files applied by this run, in order. */
  applied: string[]
  /** Whether this run put the first rows in. */
  seeded: boolean
  /** Files whose indexes are still to be built, by `keepIndexesBuilt`: beside everybody's work, because the tables hold rows. */
  later: string[]
  /** Versions of the database that come after the newest file: a newer build has used it, and migrations only widen. */
  newer: string[]
  /** Files that were applied before checksums were kept, and whose text was another one then. */
  differing: string[]
}

/**
 * Brings the database up to the folder. All of it is one transaction under one lock: several servers may start at once,
 * and a crash leaves either everything or nothing. What was applied is kept in the Supabase CLI's own table, so that
 * `supabase db push` and this agree. `seed.sql` runs once: in the run that applies a database's very first migration.
 *
 * Being one transaction, a migration can't hold what Postgres refuses in one (`vacuum`), and sets session variables with `set local`
 * only. Indexes of files that begin with `-- concurrently` are left to `keepIndexesBuilt`, on a Postgres that was used before.
 * A table that somebody else holds is waited for only briefly at a time, because whoever wants it meanwhile waits behind us.
 * @throws MigrationError
 */
export async function migrate(db: Db, { folder }: { folder: string | URL }): Promise<MigrationReport> {
  const content = await readMigrationFolder(folder)
  for (let left = LOCK_TRIES; ; left -= 1)
    try {
      return await db.transaction((tx) => run(tx, content, db.session !== undefined), NO_LIMIT)
    } catch (error) {
      const { cause } = error instanceof MigrationError ? error : { cause: error }
      const isHeld = cause instanceof DatabaseError && cause.code === LOCK_NOT_AVAILABLE
      if (!isHeld || left === 1) throw error
      await delay(LOCK_PAUSE_MS)
    }
}

/**
 * Gives a database just these migrations, in its caller's transaction: all indexes at once, and no first rows.
 * @throws MigrationError
 */
export async function migrateTo(
  tx: Queryable,
  content: MigrationFolder,
  versions: readonly string[],
): Promise<void> {
  const wanted = new Set(versions)
  const migrations = content.migrations.filter(({ version }) => wanted.has(version))
  await run(tx, { ...content, migrations, seed: null }, false)
}

/** A migration takes as long as it takes, and so does waiting for another server's. */
const NO_LIMIT = { patienceMs: Number.POSITIVE_INFINITY, direct: true }

/** Less than a statement's patience: who waits behind us must not fail. */
const LOCK_WAIT_MS = 1_000
const LOCK_PAUSE_MS = 1_000
/** For about ten minutes: a dump that runs holds every table. */
const LOCK_TRIES = 300
const LOCK_NOT_AVAILABLE = '55P03'

async function run(
  tx: Queryable,
  { shim, migrations, seed }: MigrationFolder,
  canBuildLater: boolean,
): Promise<MigrationReport> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('supabase_migrations.schema_migrations', 0))")
  await tx.exec(`set local lock_timeout to ${LOCK_WAIT_MS}`)
  const hosted = (await tx.query("select from pg_roles where rolname = 'supabase_admin'")).rowCount > 0
  const known = await readApplied(tx)
  const differing = await compareApplied(tx, known, migrations)
  const newest = migrations.at(-1)?.version ?? ''
  const newer = [...known.keys()].filter((version) => version > newest).sort()
  const isUsed = migrations.some(({ version }) => known.has(version))
  const missing = migrations.filter(({ version }) => !known.has(version))
  const isLater = ({ indexes }: Migration) => indexes !== undefined && isUsed && canBuildLater
  const pending = missing.filter((migration) => !isLater(migration))
  // A newer build has brought its own, which this one would take back.
  if (!hosted && (newer.length === 0 || pending.length > 0)) await runScript(tx, 'shim.sql', shim)
  for (const migration of pending) {
    await runScript(tx, migration.file, migration.sql)
    await keepApplied(tx, migration)
  }
  const seeded = seed !== null && known.size === 0 && pending.length > 0
  if (seeded) await runScript(tx, 'seed.sql', seed)
  const files = (some: Migration[]) => some.map(({ file }) => file)
  return { hosted, applied: files(pending), seeded, later: files(missing.filter(isLater)), newer, differing }
}

const INSUFFICIENT_PRIVILEGE = '42501'
const READ_ONLY = '25006'
const REMEDIES: Record<string, string> = {
  [INSUFFICIENT_PRIVILEGE]:
    '. Give the role that connects CREATEROLE, a database of its own and the schema public in it (alter schema public owner to …), or have the roles anon, authenticated, service_role and authenticator made and granted to it.',
  [READ_ONLY]:
    '. The database takes no writes: lead DATABASE_URL to one that does, or turn default_transaction_read_only off (alter database … set default_transaction_read_only = off).',
  [LOCK_NOT_AVAILABLE]:
    '. Somebody holds a table for minutes, such as a dump or a transaction that was left open: end it (pg_stat_activity shows it), and start again.',
}

async function runScript(tx: Queryable, file: string, sql: string): Promise<void> {
  try {
    await tx.exec(sql)
  } catch (error) {
    const cause = DatabaseError.from(error)
    const reason = error instanceof Error ? error.message : String(error)
    const remedy = REMEDIES[cause.code] ?? ''
    throw new MigrationError('failed', `${file} failed, and nothing was changed: ${reason}${remedy}`, {
      cause,
    })
  }
}
