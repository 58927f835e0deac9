import { type Db, keepIndexesBuilt, migrate } from '@heyline/database'
import type { Logger } from 'pino'
import { SQL_FOLDER } from './open-db.js'

/**
 * Migrates the database and says what is noteworthy about it. Indexes of large tables are built after the start; returns what ends that.
 * @throws MigrationError
 */
export async function bringUp(db: Db, logger: Logger): Promise<() => Promise<void>> {
  const { newer, differing, later } = await migrate(db, { folder: SQL_FOLDER })
  if (newer.length > 0)
    logger.warn(
      { migrations: newer },
      'the database has migrations of a newer version; this one works on it, because migrations only widen',
    )
  if (differing.length > 0)
    logger.warn(
      { migrations: differing },
      'these migrations were edited after they were applied here, so the schema may differ; from now on an edited one stops the start',
    )
  if (later.length === 0) return async () => {}
  logger.info(
    { migrations: later },
    'indexes are built while the server works; searches may be slow until then',
  )
  return keepIndexesBuilt({ db, folder: SQL_FOLDER, logger })
}
