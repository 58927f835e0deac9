import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { claimDirectory } from '../directory/claim-directory.js'
import { FILES } from '../directory/directory-files.js'
import { syncPath, syncTree } from '../disk/sync.js'
import type { Work } from '../pglite/engine-message.js'
import { Session } from '../pglite/session.js'
import { unpack } from '../tar/unpack.js'
import { BackupError } from './backup-error.js'

/** The major version of Postgres that the pinned PGlite is, as its files say. */
const POSTGRES_VERSION = '18'

/**
 * Puts the backup `file` in the place of the PGlite in `directory` (as given to `openPglite`; made where there is none), while
 * no server has it. The backup is unpacked beside the old data and opened first; only then do they change places, each step
 * put on disk: a crash at any moment leaves the whole old database or the whole new one, and the next start tidies up.
 *
 * @throws BackupError `not_a_backup`, `other_version`, `not_opened`: the old database is as it was
 * @throws DataDirectoryLocked while a server runs on it
 */
export async function restorePglite(options: {
  directory: string
  file: string
  logger: Logger
}): Promise<void> {
  const directory = resolve(options.directory)
  const release = claimDirectory(directory)
  try {
    const staging = join(directory, FILES.restoring)
    rmSync(staging, { recursive: true, force: true })
    mkdirSync(staging, { mode: 0o700 })
    try {
      await unpackBackup(options.file, staging)
      await prove(staging, options.logger)
      await syncTree(staging)
      changePlaces(directory, join(staging, FILES.data))
    } finally {
      rmSync(staging, { recursive: true, force: true })
    }
    options.logger.info({ directory, file: options.file }, 'database restored')
  } finally {
    release()
  }
}

async function unpackBackup(file: string, staging: string): Promise<void> {
  try {
    await unpack(file, staging)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (cause instanceof Error && 'syscall' in cause) throw cause // no such file, disk full: not the backup's fault
    throw new BackupError(
      'not_a_backup',
      `${file} is not a backup of this program, or is damaged: ${reason}`,
      { cause },
    )
  }
  const versionFile = join(staging, FILES.data, 'PG_VERSION')
  if (!existsSync(versionFile))
    throw new BackupError(
      'not_a_backup',
      `${file} holds no database: choose a file that "db backup" has written.`,
    )
  const version = readFileSync(versionFile, 'utf8').trim()
  if (version === POSTGRES_VERSION) return
  throw new BackupError(
    'other_version',
    `${file} holds the files of Postgres ${version}, and this build runs ${POSTGRES_VERSION}: restore it with the build that wrote it.`,
  )
}

/** Longest that the unpacked database may take to answer or to close, in ms. */
const PROOF_MS = 60_000

const CATALOG: Work = {
  type: 'run',
  sql: 'select count(*) from pg_catalog.pg_class',
  parameters: [],
  standing: 'outside',
}

/** Opens the unpacked database, as a server would, asks it something, and closes it. */
async function prove(staging: string, logger: Logger): Promise<void> {
  try {
    const { session } = await Session.open({
      directory: staging,
      logger,
      onNotification: () => {},
      greeting: () => [],
      onEnded: () => {},
    })
    try {
      await session.run(CATALOG, { patienceMs: PROOF_MS })
    } finally {
      await session.close(PROOF_MS)
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new BackupError('not_opened', `The database in the backup does not open: ${reason}`, { cause })
  }
}

/** The new data takes the old one's place; `claimDirectory` finishes or takes back what a crash leaves half done. */
function changePlaces(directory: string, fresh: string): void {
  const data = join(directory, FILES.data)
  const previous = join(directory, FILES.previous)
  syncPath(directory)
  if (existsSync(data)) {
    renameSync(data, previous)
    syncPath(directory)
  }
  renameSync(fresh, data)
  syncPath(directory)
  rmSync(previous, { recursive: true, force: true })
}
