import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { FILES } from '../directory/directory-files.js'
import { syncPath, syncTree } from '../disk/sync.js'
import { PgliteDb } from '../pglite/pglite-db.js'
import type { ReadEntry } from '../tar/read-archive.js'
import { unpackEntry } from '../tar/unpack.js'
import { BackupError } from './backup-error.js'

/** The major version of Postgres that the pinned PGlite is, as its files say. */
const POSTGRES_VERSION = '18'

/** Longest that it may take to close, in ms. */
const CLOSE_MS = 60_000

/** A folder in which a PGlite is made before it is used. */
export class StagedPglite {
  readonly #folder: string
  readonly #logger: Logger

  constructor(folder: string, logger: Logger) {
    this.#folder = folder
    this.#logger = logger
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
  }

  /** Takes the files of a backup. @throws BackupError `not_a_backup`, `other_version` */
  async unpack(entries: AsyncIterable<ReadEntry>): Promise<void> {
    for await (const entry of entries) await unpackEntry(entry, this.#folder)
    const versionFile = join(this.#folder, FILES.data, 'PG_VERSION')
    if (!existsSync(versionFile))
      throw new BackupError(
        'not_a_backup',
        'The backup holds no database: choose a file that "db backup" has written.',
      )
    const version = readFileSync(versionFile, 'utf8').trim()
    if (version === POSTGRES_VERSION) return
    throw new BackupError(
      'other_version',
      `The backup holds the files of Postgres ${version}, and this build runs ${POSTGRES_VERSION}: restore it with the build that wrote it.`,
    )
  }

  /** Opens it, as a server would, and closes it after. @throws BackupError `not_opened` */
  async use<T>(work: (db: PgliteDb) => Promise<T>): Promise<T> {
    const { db } = await PgliteDb.open({
      directory: this.#folder,
      logger: this.#logger,
      closeGraceMs: CLOSE_MS,
      onReleased: () => {},
    }).catch(notOpened)
    try {
      await db.query('select count(*) from pg_catalog.pg_class').catch(notOpened)
      return await work(db)
    } finally {
      await db.close()
    }
  }

  /** Puts it in the place of the data in `directory`; `claimDirectory` finishes or takes back what a crash leaves half done. */
  async changePlaces(directory: string): Promise<void> {
    await syncTree(this.#folder)
    const data = join(directory, FILES.data)
    const previous = join(directory, FILES.previous)
    syncPath(directory)
    if (existsSync(data)) {
      renameSync(data, previous)
      syncPath(directory)
    }
    renameSync(join(this.#folder, FILES.data), data)
    syncPath(directory)
    rmSync(previous, { recursive: true, force: true })
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function notOpened(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new BackupError('not_opened', `The database in the backup does not open: ${reason}`, { cause })
}
