import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Db } from '../db/db.js'
import { claimDirectory } from '../directory/claim-directory.js'
import { PgliteDb } from './pglite-db.js'

export interface PgliteOptions {
  directory: string
  logger: Logger
  /** Longest that a statement may run, and that a transaction may idle, in ms; 5 s unless given, infinite for no limit. */
  patienceMs?: number
}

/**
 * Opens the PGlite in `directory` (mode 0700, created where there is none) for this process alone. Its files lie in `pgdata` inside.
 * @throws DataDirectoryLocked when another process has it
 * @throws PgliteStartError when it cannot be opened, or when its commits would not be durable
 */
export async function openPglite(options: PgliteOptions): Promise<Db> {
  const { logger } = options
  const directory = resolve(options.directory)
  const released = claimDirectory(directory)
  try {
    const { db, created } = await PgliteDb.open({ ...options, directory, onReleased: released })
    logger.info({ directory, created }, 'database opened')
    return db
  } catch (error) {
    released()
    throw error
  }
}
