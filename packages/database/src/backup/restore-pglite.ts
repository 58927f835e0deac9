import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { claimDirectory } from '../directory/claim-directory.js'
import { FILES } from '../directory/directory-files.js'
import type { IsKept } from '../rows/kept-tables.js'
import { type BackupFile, checkBackup, readBackup } from './backup-archive.js'
import { fillFromRows } from './fill-from-rows.js'
import type { Manifest } from './manifest.js'
import { StagedPglite } from './staged-pglite.js'

export interface RestoreOptions extends BackupFile {
  /** The migrations of this build, as of `migrate`. */
  folder: string | URL
  isKept: IsKept
  logger: Logger
}

/**
 * Puts a backup in the place of the PGlite in `directory` (as given to `openPglite`; made where there is none), while
 * no server has it. All of the file is read before anything is done. The new database is made beside the old data and opened first; only then
 * do they change places, each step put on disk: a crash at any moment leaves the whole old database or the whole new one, and the next start
 * tidies up. Resolves with what the backup says of itself; undefined for one of before manifests.
 *
 * @throws BackupError the old database is as it was
 * @throws DataDirectoryLocked while a server runs on it
 */
export async function restorePglite(
  options: RestoreOptions & { directory: string },
): Promise<Manifest | undefined> {
  const { folder, isKept, logger } = options
  await checkBackup(options)
  const directory = resolve(options.directory)
  const release = claimDirectory(directory)
  try {
    const staged = new StagedPglite(join(directory, FILES.restoring), logger)
    try {
      const manifest = await readBackup(options, async (found, entries) => {
        if (found?.kind === 'rows')
          await staged.use((db) =>
            db.transaction((tx) => fillFromRows(tx, { manifest: found, entries, folder, isKept }), {
              patienceMs: Number.POSITIVE_INFINITY,
            }),
          )
        else await staged.unpack(entries)
        return found
      })
      if (manifest?.kind !== 'rows') await staged.use(async () => {})
      await staged.changePlaces(directory)
      logger.info({ directory, file: options.file }, 'database restored')
      return manifest
    } finally {
      staged.remove()
    }
  } finally {
    release()
  }
}
