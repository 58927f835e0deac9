import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Db, Queryable } from '../db/db.js'
import { readRows } from '../rows/read-rows.js'
import { appliedVersions } from './applied-versions.js'
import { checkBackup, readBackup } from './backup-archive.js'
import { refuseHosted } from './backup-database.js'
import { BackupError } from './backup-error.js'
import { fill, fillFromRows } from './fill-from-rows.js'
import type { Manifest } from './manifest.js'
import type { RestoreOptions } from './restore-pglite.js'
import { StagedPglite } from './staged-pglite.js'

export interface RestorePostgresOptions extends RestoreOptions {
  db: Db
  /** An existing folder of this user's, in which the files of a PGlite are unpacked while their rows are copied. */
  staging: string
  /** Takes the place of what the database holds. It needs the same migrations. */
  replace: boolean
}

/**
 * Puts a backup of either kind of database into a Postgres, in one transaction: a failure leaves it as it was. All of the file is read before.
 * An empty database gets the schema that the backup's had. Resolves with what the backup says of itself.
 * @throws BackupError
 */
export async function restorePostgres(options: RestorePostgresOptions): Promise<Manifest | undefined> {
  const { db, logger } = options
  await checkBackup(options)
  const into = (run: (tx: Queryable) => Promise<unknown>): Promise<unknown> =>
    db.transaction(run, { patienceMs: Number.POSITIVE_INFINITY, direct: true })
  // Before files are unpacked for nothing; the transaction that fills it looks again.
  await into((tx) => refuseUsed(tx, options.replace))
  const manifest = await readBackup(options, async (found, entries) => {
    if (found?.kind === 'rows')
      await into(async (tx) => {
        await makeReady(tx, found.migrations, options.replace)
        await fillFromRows(tx, { manifest: found, entries, ...options })
      })
    else await throughPglite(options, entries, into)
    return found
  })
  logger.info({ file: options.file }, 'database restored')
  return manifest
}

/** The rows of a PGlite's files. */
async function throughPglite(
  { staging, logger, replace, folder, isKept }: RestorePostgresOptions,
  entries: Parameters<StagedPglite['unpack']>[0],
  into: (run: (tx: Queryable) => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  const staged = new StagedPglite(join(staging, 'restoring'), logger)
  try {
    await staged.unpack(entries)
    await staged.use((source) =>
      source.transaction(
        async (from) => {
          const migrations = await appliedVersions(from)
          await into(async (tx) => {
            await makeReady(tx, migrations, replace)
            await fill(tx, migrations, readRows(from, isKept), { folder, isKept })
          })
        },
        { patienceMs: Number.POSITIVE_INFINITY },
      ),
    )
  } finally {
    staged.remove()
  }
}

/** @throws BackupError `hosted`, `not_empty`, `in_use` */
async function refuseUsed(tx: Queryable, replace: boolean): Promise<string[]> {
  await refuseHosted(tx)
  const versions = await appliedVersions(tx)
  if (versions.length === 0) return versions
  if (!replace)
    throw new BackupError(
      'not_empty',
      'The database that DATABASE_URL names is in use by Heyline, and the backup would replace what it holds: say so with --yes, or name an empty one',
    )
  const { rows } = await tx.query<{ others: number }>(
    `select count(*) as others from pg_stat_activity
     where datname = current_database() and application_name = 'heyline' and backend_type = 'client backend'
       and pid <> pg_backend_pid()`,
  )
  const others = rows[0]?.others ?? 0
  if (others > 0)
    throw new BackupError(
      'in_use',
      `Servers are connected to this database (${others} connections): stop all of them first`,
    )
  return versions
}

/** @throws BackupError, also `other_schema` */
async function makeReady(tx: Queryable, migrations: readonly string[], replace: boolean): Promise<void> {
  const versions = await refuseUsed(tx, replace)
  if (versions.length === 0) return
  const differing = [
    ...versions.filter((version) => !migrations.includes(version)),
    ...migrations.filter((version) => !versions.includes(version)),
  ]
  if (differing.length > 0)
    throw new BackupError(
      'other_schema',
      `The database has other migrations than the backup (${differing.sort().join(', ')}): restore into an empty one, which gets those of the backup`,
    )
}
