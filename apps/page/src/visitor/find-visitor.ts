import { exactPattern, slugOf } from './slug.js'
import { parseVisitor, type Visitor } from './visitor.js'
import type { VisitorSource } from './visitor-source.js'
import { readVisitors } from './visitors-table.js'

/** Read 2 of spec 7: the row whose slug is exactly this one, or null. Rejects with `VisitorLookupError`. */
export async function readVisitor(source: VisitorSource): Promise<Visitor | null> {
  const { columns = '*' } = source
  return visitorOf(await readVisitors(source, columns, (rows) => rows.eq('slug', source.slug).maybeSingle()))
}

/**
 * Reads 2 and 3 of spec 7: the exact read and, when it finds nothing, the case-insensitive one, with the slug's
 * wildcards escaped and its accents in one character with their letters (NFC), as keyboards write them: an address that was copied
 * from a file's name may have them apart. That one is skipped for a slug with `*`. Rejects with `VisitorLookupError` when a read fails.
 */
export async function findVisitor(source: VisitorSource): Promise<Visitor | null> {
  const { columns = '*' } = source
  const exact = await readVisitor(source)
  const slug = source.slug.normalize()
  const pattern = exactPattern(slug)
  if (exact || pattern === undefined) return exact
  return visitorOf(
    await readVisitors({ ...source, slug }, columns, (rows) => rows.ilike('slug', pattern).maybeSingle()),
  )
}

/** The visitor of a URL's path; null, without a read, where the path holds no slug. Rejects as `findVisitor` does. */
export async function findVisitorAt(
  pathname: string,
  source: (slug: string) => VisitorSource,
): Promise<Visitor | null> {
  const slug = slugOf(pathname)
  return slug === undefined ? null : findVisitor(source(slug))
}

function visitorOf(row: unknown): Visitor | null {
  return row === null || row === undefined ? null : parseVisitor(row)
}
