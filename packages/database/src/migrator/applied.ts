import type { Queryable } from '../db/db.js'
import { MigrationError } from './migration-error.js'
import { checksumOf, type Migration } from './migration-folder.js'

/** What the books say of a migration. Rows of the Supabase CLI have no checksum, and neither have those of versions before checksums. */
interface Applied {
  version: string
  checksum: string | null
  /** Of a row without a checksum, if they were kept. */
  statements: string[] | null
}

const COLUMNS = ['version', 'statements', 'name', 'checksum']

/**
 * The migrations that this database has, from the Supabase CLI's table; made where it is missing, with a column of ours. Nothing is altered
 * without need: that would wait for a running dump, and everybody behind it.
 */
export async function readApplied(tx: Queryable): Promise<Map<string, Applied>> {
  const { rowCount } = await tx.query(
    `select from pg_attribute where attrelid = to_regclass('supabase_migrations.schema_migrations') and not attisdropped
     and attname in (select jsonb_array_elements_text($1))`,
    [COLUMNS],
  )
  if (rowCount < COLUMNS.length)
    await tx.exec(`
      create schema if not exists supabase_migrations;
      create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
      alter table supabase_migrations.schema_migrations add column if not exists statements text[];
      alter table supabase_migrations.schema_migrations add column if not exists name text;
      alter table supabase_migrations.schema_migrations add column if not exists checksum text;
    `)
  const { rows } = await tx.query<Applied>(
    `select version, checksum, case when checksum is null then statements end as statements
     from supabase_migrations.schema_migrations`,
  )
  return new Map(rows.map((row) => [row.version, row]))
}

/**
 * Compares every file with what was applied. A row without a checksum gets the file's: resolves with the files of those whose text is not
 * the one that was kept.
 * @throws MigrationError `edited`
 */
export async function compareApplied(
  tx: Queryable,
  known: Map<string, Applied>,
  migrations: readonly Migration[],
): Promise<string[]> {
  const differing: string[] = []
  for (const { version, file, checksum } of migrations) {
    const row = known.get(version)
    if (!row || row.checksum === checksum) continue
    if (row.checksum !== null) throw edited(file, version)
    // We keep a file as one statement, the CLI cuts it into many.
    const [text, ...more] = row.statements ?? []
    if (text !== undefined && more.length === 0 && checksumOf(text) !== checksum) differing.push(file)
    await tx.query('update supabase_migrations.schema_migrations set checksum = $2 where version = $1', [
      version,
      checksum,
    ])
  }
  return differing
}

const edited = (file: string, version: string) =>
  new MigrationError(
    'edited',
    `Migration ${file} was edited after it was applied to this database, so the schema may not be the one that this build expects. ` +
      'Put the file back as it was released, and make the change in a new migration. If you know that the schema is right: ' +
      `update supabase_migrations.schema_migrations set checksum = null where version = '${version}', and start again.`,
  )

/** Writes a migration into the books. */
export async function keepApplied(tx: Queryable, { version, name, sql, checksum }: Migration): Promise<void> {
  await tx.query(
    'insert into supabase_migrations.schema_migrations (version, name, statements, checksum) values ($1, $2, array[$3::text], $4)',
    [version, name, sql, checksum],
  )
}
