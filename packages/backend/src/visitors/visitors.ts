import { type Db, DEFAULT_PATIENCE_MS, LONG_PATIENCE_MS } from '@heyline/database'
import { readVisitors, storeVisitors } from './attempted.js'
import { type ImportOptions, type ImportReport, importVisitors } from './import-visitors.js'
import type { NewVisitor, VisitorChanges } from './new-visitor.js'
import { addVisitor, removeVisitor, showVisitor, updateVisitor } from './stored-visitor.js'
import type { ListedVisitor, Visitor, VisitorPage } from './visitor.js'
import { allVisitors } from './visitor-parts.js'

/** Most visitors that one part of the list holds. */
export const LIST_LIMIT = 1000

/**
 * Who may be greeted: the list that the operator keeps, wherever it is stored. Everything rejects with a `VisitorError`.
 * A slug that names a stored visitor may be any; exactly it is looked for first, then without case.
 */
export interface Visitors {
  /** False where the table has no column `listed`. */
  readonly keepsListed: boolean
  /** Adds one; resolves once it is stored for good. */
  add(visitor: NewVisitor): Promise<ListedVisitor>
  /** A part of them, by slug: at most `limit` (1000 at most), those behind the slug `after`. */
  list(part: { limit: number; after?: string | undefined }): Promise<VisitorPage>
  show(slug: string): Promise<Visitor>
  /** Changes what is given; an empty text is taken away. */
  update(slug: string, changes: VisitorChanges): Promise<Visitor>
  remove(slug: string): Promise<ListedVisitor>
  /** All of them, by slug, in parts of a few megabytes. Not one snapshot: what changes meanwhile may be in it or not. */
  export(): AsyncIterable<Visitor[]>
  /** Those of the slugs that are stored already, as they are stored; case does not count. */
  taken(slugs: string[]): Promise<string[]>
  /** Stores all of them in one transaction, or none. A shared database waits meanwhile: read files before. */
  import(batches: AsyncIterable<NewVisitor[]>, options?: ImportOptions): Promise<ImportReport>
}

/** The visitors of the built-in backend, as the database's owner sees them. */
export function createVisitors(db: Db): Visitors {
  return {
    keepsListed: true,
    add: (visitor) => addVisitor(db, visitor),
    list: ({ limit, after }) =>
      readVisitors(async () => {
        const most = Math.min(Math.max(limit, 1), LIST_LIMIT)
        const { rows } = await db.query<ListedVisitor>(
          'select slug, name from public.visitors where lower(slug) > lower($1) order by lower(slug) limit $2',
          [after ?? '', most + 1],
        )
        const visitors = rows.slice(0, most)
        return { visitors, next: rows.length > most ? (visitors.at(-1)?.slug ?? null) : null }
      }),
    show: (slug) => showVisitor(db, slug),
    update: (slug, changes) => updateVisitor(db, slug, changes),
    remove: (slug) => removeVisitor(db, slug),
    export: () => allVisitors(db),
    taken: (slugs) =>
      readVisitors(async () => {
        const { rows } = await db.query<{ slug: string }>(
          'select slug from public.visitors where lower(slug) in (select lower(json_array_elements_text($1::json)))',
          [slugs],
        )
        return rows.map(({ slug }) => slug)
      }),
    import: (batches, options) =>
      storeVisitors('', () =>
        db.transaction((tx) => importVisitors(tx, batches, options), {
          patienceMs: LONG_PATIENCE_MS,
          // A process that stands still must not hold the visitors.
          idleMs: DEFAULT_PATIENCE_MS,
        }),
      ),
  }
}
