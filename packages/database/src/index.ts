export { type BackupFile, checkBackup } from './backup/backup-archive.js'
export { type BackupOptions, backupDatabase } from './backup/backup-database.js'
export { BackupError, type BackupErrorCode } from './backup/backup-error.js'
export type { Manifest } from './backup/manifest.js'
export { type RestoreOptions, restorePglite } from './backup/restore-pglite.js'
export { type RestorePostgresOptions, restorePostgres } from './backup/restore-postgres.js'
export { isSealed, MAGIC_BYTES } from './backup/sealed-backup.js'
export { DATE_IS_SURE, isDateSure } from './date/date-check.js'
export { hasCome, isOver, isTooFar, isWithin } from './date/stored-time.js'
export { DatabaseError, type DatabaseErrorFields } from './db/database-error.js'
export {
  type Db,
  DEFAULT_PATIENCE_MS,
  LONG_PATIENCE_MS,
  type PoolFigures,
  type Queryable,
  type Result,
  type Snapshot,
  type TransactionOptions,
} from './db/db.js'
export { isOutage, isOutageCode } from './db/outage.js'
export { DataDirectoryLocked } from './directory/directory-lock.js'
export {
  type ErasedBy,
  type ErasureMark,
  erasedSince,
  lastErasure,
  rememberErased,
} from './erasures/erasures.js'
export {
  type HiddenPart,
  type HidingCursor,
  type HidingPlace,
  hideInRows,
} from './hiding/hide-in-rows.js'
export { type IndexBuildingOptions, keepIndexesBuilt } from './migrator/index-building.js'
export { type MigrationReport, migrate } from './migrator/migrate.js'
export { MigrationError, type MigrationErrorCode } from './migrator/migration-error.js'
export { SchemaCheck, type SchemaFaults } from './migrator/schema-check.js'
export { boundedParts } from './parts/bounded-parts.js'
export { inParts, MOST_IN_PART, readByIndex } from './parts/in-parts.js'
export { PgliteStartError } from './pglite/engine.js'
export { keepLogShort } from './pglite/log-length.js'
export { openPglite } from './pglite/open-pglite.js'
export { keepTidy, type TidyingOptions } from './pglite/tidying.js'
export { openPostgres } from './postgres/open-postgres.js'
export { type IsKept, keptTables } from './rows/kept-tables.js'
