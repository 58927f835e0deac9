import { randomBytes } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Db, Queryable } from '../db/db.js'
import { syncPath } from '../disk/sync.js'
import type { IsKept } from '../rows/kept-tables.js'
import { readRows } from '../rows/read-rows.js'
import { END_OF_ARCHIVE, packContent, packDirectory } from '../tar/pack.js'
import { appliedVersions } from './applied-versions.js'
import { checkBackup } from './backup-archive.js'
import { BackupError } from './backup-error.js'
import { halfOfTheTime } from './half-of-the-time.js'
import { MANIFEST, type Manifest, manifestText } from './manifest.js'
import { packRows } from './rows-archive.js'
import { seal } from './sealed-backup.js'

export interface BackupOptions {
  /** Takes the place of an older one in one step. */
  file: string
  /** Seals the file; undefined: whoever has it can read it. */
  secret?: string | undefined
  /** Version of the program. */
  madeBy: string
  /** Kept in a sealed backup alone. */
  keys?: Record<string, string> | undefined
  /** Which tables of a Postgres are in it. A PGlite is there as a whole. */
  isKept: IsKept
  /** Works half of the time only, for who has other work to do meanwhile. */
  gently?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Writes a backup to `file` (mode 0600), as of one moment between two commits, while the server goes on: a PGlite waits only while its files are
 * copied beside the data, a Postgres never. The file is read again before it takes an older one's place; a failure leaves no file behind.
 * Memory does not grow with the database. Of a stopped server's directory: open it, and close it after.
 *
 * @throws BackupError `hosted`, `no_database`
 * @throws DatabaseError when the database cannot be asked; errors of the file system pass through
 */
export async function backupDatabase(db: Db, options: BackupOptions): Promise<void> {
  const { file, secret, gently, signal } = options
  const target = resolve(file)
  const draft = `${target}.${randomBytes(4).toString('hex')}.partial`
  try {
    if (db.snapshot) await ofFiles(db, db.snapshot.bind(db), draft, options)
    else await ofRows(db, draft, options)
    signal?.throwIfAborted()
    await checkBackup({ file: draft, secret, gently }, signal)
    syncPath(draft)
    await rename(draft, target)
    syncPath(dirname(target))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

async function ofFiles(
  db: Db,
  snapshotOf: NonNullable<Db['snapshot']>,
  draft: string,
  options: BackupOptions,
): Promise<void> {
  const migrations = await appliedVersions(db)
  const snapshot = await snapshotOf()
  try {
    await write(draft, manifestOf('files', migrations, options), packDirectory(snapshot.directory), options)
  } finally {
    await snapshot.remove()
  }
}

async function ofRows(db: Db, draft: string, options: BackupOptions): Promise<void> {
  await db.transaction(
    async (tx) => {
      await tx.exec('set transaction isolation level repeatable read, read only')
      await refuseHosted(tx)
      const migrations = await appliedVersions(tx)
      if (migrations.length === 0)
        throw new BackupError(
          'no_database',
          'The database that DATABASE_URL names is empty: there is nothing to back up',
        )
      const manifest = manifestOf('rows', migrations, options)
      await write(draft, manifest, packRows(readRows(tx, options.isKept)), options)
    },
    { patienceMs: Number.POSITIVE_INFINITY, direct: true },
  )
}

const manifestOf = (
  kind: Manifest['kind'],
  migrations: string[],
  { madeBy, secret, keys = {} }: BackupOptions,
): Manifest => ({
  kind,
  takenAt: new Date().toISOString(),
  madeBy,
  migrations,
  keys: secret === undefined ? {} : keys,
})

async function write(
  draft: string,
  manifest: Manifest,
  content: AsyncIterable<Uint8Array>,
  { secret, gently = false, signal }: BackupOptions,
): Promise<void> {
  const archive = async function* () {
    yield packContent(MANIFEST, manifestText(manifest))
    yield* gently ? halfOfTheTime(content) : content
    yield END_OF_ARCHIVE
  }
  const source = Readable.from(archive(), { objectMode: false })
  const gzip = createGzip({ level: 6 })
  const out = createWriteStream(draft, { mode: 0o600, flags: 'wx' })
  if (secret === undefined) await pipeline(source, gzip, out, { signal })
  else await pipeline(source, gzip, (text: AsyncIterable<Uint8Array>) => seal(text, secret), out, { signal })
}

/** @throws BackupError `hosted` */
export async function refuseHosted(db: Queryable): Promise<void> {
  const { rowCount } = await db.query("select from pg_roles where rolname = 'supabase_admin'")
  if (rowCount > 0)
    throw new BackupError(
      'hosted',
      'DATABASE_URL leads to a Supabase project, whose accounts are its own: use the backups of that project',
    )
}
