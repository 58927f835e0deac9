import type { Queryable } from '@heyline/database'

/** Rows of one table that are about a visitor. */
export interface VisitorFileRows {
  table: string
  rows: unknown[]
}

/** What is stored of visitors' own knowledge, file by file: with the text that was read, and without the file itself. */
export async function* visitorFileRows(
  db: Queryable,
  slugs: readonly string[],
): AsyncGenerator<VisitorFileRows> {
  const table = 'voice_platform.files'
  const { rows: ids } = await db.query<{ id: string }>(
    `select id from voice_platform.files where lower(visitor_slug) in (select lower(jsonb_array_elements_text($1::jsonb))) order by created_at, id`,
    [slugs],
  )
  if (ids.length === 0) yield { table, rows: [] }
  for (const { id } of ids) {
    const { rows } = await db.query(
      `select id, visitor_slug, name, original_name, kind, bytes, status, text, created_at, updated_at
       from voice_platform.files where id = $1`,
      [id],
    )
    yield { table, rows }
  }
}

/** Removes them, also where the visitors are in another database. */
export async function eraseVisitorFiles(db: Queryable, slugs: readonly string[]): Promise<void> {
  await db.query(
    'delete from voice_platform.files where lower(visitor_slug) in (select lower(jsonb_array_elements_text($1::jsonb)))',
    [slugs],
  )
}
