import { DatabaseError } from '../db/database-error.js'
import type { Db, Queryable } from '../db/db.js'
import { MigrationError } from './migration-error.js'
import { type Migration, readMigrationFolder } from './migration-folder.js'

export interface MigrationReport {
  /** Whether the database is a Supabase project, which brings its own roles. */
  hosted: boolean
  /** Files applied by this run, in order. */
  applied: string[]
  /** Whether this run put the first rows in. */
  seeded: boolean
}

/**
 * Brings the database up to the folder. All of it is one transaction under one lock: several servers may start at once,
 * and a crash leaves either everything or nothing. What was applied is kept in the Supabase CLI's own table, so that
 * `supabase db push` and this agree. `seed.sql` runs once: in the run that applies a database's very first migration.
 *
 * Being one transaction, a migration can't hold what Postgres refuses in one (`create index concurrently`, `vacuum`),
 * and sets session variables with `set local` only.
 * @throws MigrationError
 */
export async function migrate(db: Db, { folder }: { folder: string | URL }): Promise<MigrationReport> {
  const { shim, migrations, seed } = await readMigrationFolder(folder)
  return await db.transaction(async (tx) => {
    await tx.query(
      "select pg_advisory_xact_lock(hashtextextended('supabase_migrations.schema_migrations', 0))",
    )
    const hosted = (await tx.query("select from pg_roles where rolname = 'supabase_admin'")).rowCount > 0
    if (!hosted) await runScript(tx, 'shim.sql', shim)
    const known = await readVersions(tx)
    refuseNewer(known, migrations)
    const pending = migrations.filter(({ version }) => !known.has(version))
    for (const migration of pending) await apply(tx, migration)
    const seeded = seed !== null && known.size === 0 && pending.length > 0
    if (seeded) await runScript(tx, 'seed.sql', seed)
    return { hosted, applied: pending.map(({ file }) => file), seeded }
  }, NO_LIMIT)
}

/** A migration takes as long as it takes, and so does waiting for another server's. */
const NO_LIMIT = { patienceMs: Number.POSITIVE_INFINITY }

/** The versions that this database has, from the Supabase CLI's table (made where it is missing). */
async function readVersions(tx: Queryable): Promise<Set<string>> {
  await tx.exec(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
    alter table supabase_migrations.schema_migrations add column if not exists statements text[];
    alter table supabase_migrations.schema_migrations add column if not exists name text;
  `)
  const { rows } = await tx.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  )
  return new Set(rows.map(({ version }) => version))
}

/** An older build on a newer database could misread it. Older versions that are not ours are left alone. */
function refuseNewer(known: Set<string>, migrations: Migration[]): void {
  const newest = migrations.at(-1)?.version ?? ''
  const newer = [...known].filter((version) => version > newest).sort()
  if (newer.length === 0) return
  throw new MigrationError(
    'newer_database',
    `The database has migrations that this build does not know (${newer.join(', ')}): it was used by a newer one. ` +
      'Start the newer build, or use another database.',
  )
}

async function apply(tx: Queryable, { version, name, file, sql }: Migration): Promise<void> {
  await runScript(tx, file, sql)
  await tx.query(
    'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, array[$3::text])',
    [version, name, sql],
  )
}

const INSUFFICIENT_PRIVILEGE = '42501'
const ROLES_REMEDY =
  '. Give the role that connects CREATEROLE, a database of its own and the schema public in it (alter schema public owner to …), or have the roles anon, authenticated, service_role and authenticator made and granted to it.'

async function runScript(tx: Queryable, file: string, sql: string): Promise<void> {
  try {
    await tx.exec(sql)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const remedy = DatabaseError.from(cause).code === INSUFFICIENT_PRIVILEGE ? ROLES_REMEDY : ''
    throw new MigrationError('failed', `${file} failed, and nothing was changed: ${reason}${remedy}`, {
      cause,
    })
  }
}
