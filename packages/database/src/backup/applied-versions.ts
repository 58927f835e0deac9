import type { Queryable } from '../db/db.js'

/** Versions of the migrations that a database has; none where nobody has migrated it. Reads only. */
export async function appliedVersions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ there: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as there`,
  )
  if (!rows[0]?.there) return []
  const applied = await db.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by 1',
  )
  return applied.rows.map(({ version }) => version)
}
