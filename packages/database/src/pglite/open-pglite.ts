import { chmodSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Db } from '../db.js'
import { lockDirectory } from './directory-lock.js'
import { PgliteDb } from './pglite-db.js'

/**
 * Opens the PGlite in `directory` (mode 0700, created where there is none) for this process alone. Its files lie in `pgdata` inside.
 * @throws DataDirectoryLocked when another process has it
 * @throws PgliteStartError when it cannot be opened, or when its commits would not be durable
 */
export async function openPglite(options: { directory: string; logger: Logger }): Promise<Db> {
  const { logger } = options
  const directory = resolve(options.directory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700) // PGlite itself writes files that anybody may read and write
  const released = lockDirectory(directory)
  try {
    const { db, created } = await PgliteDb.open({ directory, logger, released })
    logger.info({ directory, created }, 'database opened')
    return db
  } catch (error) {
    released()
    throw error
  }
}
