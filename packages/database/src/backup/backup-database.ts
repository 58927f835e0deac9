import { randomBytes } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Db } from '../db/db.js'
import { syncPath } from '../disk/sync.js'
import { pack } from '../tar/pack.js'
import { BackupError } from './backup-error.js'

/**
 * Writes a backup of a PGlite to `file` (a gzipped tar, mode 0600), as of one moment between two commits: the server may go
 * on meanwhile, it waits only while the files are copied beside the data. An older `file` is replaced in one step, once the
 * new one is safely on disk; a failure leaves no file behind. Of a stopped server's directory: open it, and close it after.
 *
 * @throws BackupError `not_pglite`
 * @throws DatabaseError when the database cannot be asked; errors of the file system pass through
 */
export async function backupDatabase(db: Db, file: string): Promise<void> {
  if (!db.snapshot) {
    throw new BackupError(
      'not_pglite',
      'This database is a Postgres server, which has its own tools: back it up with `pg_dump --format=custom`, restore with `pg_restore`.',
    )
  }
  const target = resolve(file)
  const draft = `${target}.${randomBytes(4).toString('hex')}.partial`
  const snapshot = await db.snapshot()
  try {
    await pipeline(
      Readable.from(pack(snapshot.directory)),
      createGzip({ level: 6 }),
      createWriteStream(draft, { mode: 0o600, flags: 'wx' }),
    )
    syncPath(draft)
    await rename(draft, target)
    syncPath(dirname(target))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    await snapshot.remove()
  }
}
