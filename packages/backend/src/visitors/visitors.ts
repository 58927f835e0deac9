import { DatabaseError, type Db, type Queryable } from '@heyline/database'
import { type ImportOptions, type ImportReport, importVisitors } from './import-visitors.js'
import { type NewVisitor, parseNewVisitor, parseVisitorChanges, type VisitorChanges } from './new-visitor.js'
import { assignments, COLUMNS, rowOf } from './row.js'
import type { ListedVisitor, Visitor, VisitorPage } from './visitor.js'
import { VisitorError } from './visitor-error.js'

/** Most visitors that one part of the list holds. */
export const LIST_LIMIT = 1000

/** How many visitors one part of an export holds: their prompts may be long. */
const EXPORT_PART = 200

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
  /** All of them, by slug, in parts. Not one snapshot: what changes meanwhile may be in it or not. */
  export(): AsyncIterable<Visitor[]>
  /** Those of the slugs that are stored already, as they are stored; case does not count. */
  taken(slugs: string[]): Promise<string[]>
  /** Stores all of them in one transaction, or none. A shared database waits meanwhile: read files before. */
  import(batches: AsyncIterable<NewVisitor[]>, options?: ImportOptions): Promise<ImportReport>
}

const UNIQUE_VIOLATION = '23505'

/** The visitors of the built-in backend, as the database's owner sees them. */
export function createVisitors(db: Db): Visitors {
  return {
    keepsListed: true,
    async add(input) {
      const visitor = parseNewVisitor(input)
      const { slug, name } = visitor
      await stored(slug, () =>
        db.query(
          `insert into public.visitors (${COLUMNS}) values ($1, $2, $3, $4, $5)`,
          Object.values(rowOf(visitor)),
        ),
      )
      return { slug, name }
    },
    list: ({ limit, after }) =>
      read(async () => {
        const most = Math.min(Math.max(limit, 1), LIST_LIMIT)
        const { rows } = await db.query<ListedVisitor>(
          'select slug, name from public.visitors where lower(slug) > lower($1) order by lower(slug) limit $2',
          [after ?? '', most + 1],
        )
        const visitors = rows.slice(0, most)
        return { visitors, next: rows.length > most ? (visitors.at(-1)?.slug ?? null) : null }
      }),
    show: (slug) => read(() => found(db, slug)),
    update: async (slug, input) => {
      const { columns, values } = assignments(parseVisitorChanges(input))
      const current = await read(() => found(db, slug))
      const sets = columns.map((column, index) => `${column} = $${index + 2}`).join(', ')
      const { rows } = await stored(input.slug ?? slug, () =>
        db.query<Visitor>(`update public.visitors set ${sets} where slug = $1 returning ${COLUMNS}`, [
          current.slug,
          ...values,
        ]),
      )
      return theOne(rows, slug)
    },
    remove: (slug) =>
      read(async () => {
        const current = await found(db, slug)
        const { rows } = await db.query<ListedVisitor>(
          'delete from public.visitors where slug = $1 returning slug, name',
          [current.slug],
        )
        return theOne(rows, slug)
      }),
    async *export() {
      for (let after = ''; ; ) {
        const { rows } = await read(() =>
          db.query<Visitor>(
            `select ${COLUMNS} from public.visitors where lower(slug) > lower($1) order by lower(slug) limit ${EXPORT_PART}`,
            [after],
          ),
        )
        if (rows.length > 0) yield rows
        if (rows.length < EXPORT_PART) return
        after = rows.at(-1)?.slug ?? ''
      }
    },
    taken: (slugs) =>
      read(async () => {
        const { rows } = await db.query<{ slug: string }>(
          'select slug from public.visitors where lower(slug) in (select lower(json_array_elements_text($1::json)))',
          [slugs],
        )
        return rows.map(({ slug }) => slug)
      }),
    import: (batches, options) =>
      stored('', () =>
        db.transaction((tx) => importVisitors(tx, batches, options), {
          patienceMs: Number.POSITIVE_INFINITY,
        }),
      ),
  }
}

/** The index is unique without case, so one row at most is found. */
async function found(db: Queryable, slug: string): Promise<Visitor> {
  const { rows } = await db.query<Visitor>(
    `select ${COLUMNS} from public.visitors where lower(slug) = lower($1)`,
    [slug],
  )
  return theOne(rows, slug)
}

function theOne<Row>([row]: Row[], slug: string): Row {
  if (row === undefined) throw VisitorError.notFound(slug)
  return row
}

const read = <T>(work: () => Promise<T>) => attempted(work, 'The visitors could not be read')

/** Runs what stores visitors; a slug that is taken is named as Postgres names it, or as `slug`. */
async function stored<T>(slug: string, work: () => Promise<T>): Promise<T> {
  try {
    return await attempted(work, 'The visitor could not be stored')
  } catch (error) {
    const { cause } = error instanceof VisitorError ? error : {}
    if (!(cause instanceof DatabaseError) || cause.code !== UNIQUE_VIOLATION) throw error
    const named = /\)=\((.*)\) already exists/.exec(cause.detail ?? '')?.[1]
    throw VisitorError.slugTaken(slug || named || '?', { cause })
  }
}

async function attempted<T>(work: () => Promise<T>, failure: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw new VisitorError('visitors_unreachable', `${failure}: ${error.message}`, { cause: error })
  }
}
