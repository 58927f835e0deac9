import type { Queryable } from '../db/db.js'
import { migrateTo } from '../migrator/migrate.js'
import { readMigrationFolder } from '../migrator/migration-folder.js'
import type { IsKept } from '../rows/kept-tables.js'
import type { RowBatch, RowsEnd } from '../rows/read-rows.js'
import { writeRows } from '../rows/write-rows.js'
import type { ReadEntry } from '../tar/read-archive.js'
import { BackupError } from './backup-error.js'
import type { Manifest } from './manifest.js'
import { unpackRows } from './rows-archive.js'

interface Filling {
  /** The migrations of this build. */
  folder: string | URL
  isKept: IsKept
}

/** Gives an empty database the schema that a backup's had, and its rows. In the transaction of its caller. @throws BackupError `other_version` */
export const fillFromRows = (
  tx: Queryable,
  { manifest, entries, ...filling }: Filling & { manifest: Manifest; entries: AsyncIterable<ReadEntry> },
): Promise<void> => fill(tx, manifest.migrations, unpackRows(entries), filling)

export async function fill(
  tx: Queryable,
  migrations: readonly string[],
  batches: AsyncGenerator<RowBatch, RowsEnd>,
  { folder, isKept }: Filling,
): Promise<void> {
  const content = await readMigrationFolder(folder)
  const known = new Set(content.migrations.map(({ version }) => version))
  const unknown = migrations.filter((version) => !known.has(version))
  if (unknown.length > 0)
    throw new BackupError(
      'other_version',
      `The backup has migrations that this build does not know (${unknown.join(', ')}): restore it with the build that wrote it, or a newer one`,
    )
  await migrateTo(tx, content, migrations)
  await writeRows(tx, batches, isKept)
}
