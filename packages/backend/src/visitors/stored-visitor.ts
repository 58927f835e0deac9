import type { Queryable } from '@heyline/database'
import { readVisitors, storeVisitors } from './attempted.js'
import { type NewVisitor, parseNewVisitor, parseVisitorChanges, type VisitorChanges } from './new-visitor.js'
import { assignments, COLUMNS, rowOf } from './row.js'
import type { ListedVisitor, Visitor } from './visitor.js'
import { VisitorError } from './visitor-error.js'

/** The stored visitor of a slug. Rejects with a `VisitorError`, as all here do. */
export const showVisitor = (db: Queryable, slug: string): Promise<Visitor> =>
  readVisitors(() => found(db, slug))

/** Adds a visitor. */
export async function addVisitor(db: Queryable, input: NewVisitor): Promise<ListedVisitor> {
  const visitor = parseNewVisitor(input)
  const { slug, name } = visitor
  await storeVisitors(slug, () =>
    db.query(
      `insert into public.visitors (${COLUMNS}) values ($1, $2, $3, $4, $5)`,
      Object.values(rowOf(visitor)),
    ),
  )
  return { slug, name }
}

/** Changes what is given of a visitor. */
export async function updateVisitor(db: Queryable, slug: string, input: VisitorChanges): Promise<Visitor> {
  const { columns, values } = assignments(parseVisitorChanges(input))
  const current = await showVisitor(db, slug)
  const sets = columns.map((column, index) => `${column} = $${index + 2}`).join(', ')
  const { rows } = await storeVisitors(input.slug ?? slug, () =>
    db.query<Visitor>(`update public.visitors set ${sets} where slug = $1 returning ${COLUMNS}`, [
      current.slug,
      ...values,
    ]),
  )
  return theOne(rows, slug)
}

/** Removes a visitor. */
export const removeVisitor = (db: Queryable, slug: string): Promise<ListedVisitor> =>
  readVisitors(async () => {
    const current = await found(db, slug)
    const { rows } = await db.query<ListedVisitor>(
      'delete from public.visitors where slug = $1 returning slug, name',
      [current.slug],
    )
    return theOne(rows, slug)
  })

/** The condition for visitors of the slugs that are the parameter `$1`. */
export const THESE = 'lower(slug) in (select lower(json_array_elements_text($1::json)))'

/** Removes all visitors of these slugs that are there; resolves with how many. */
export const removeVisitors = (db: Queryable, slugs: string[]): Promise<number> =>
  readVisitors(async () => (await db.query(`delete from public.visitors where ${THESE}`, [slugs])).rowCount)

/** Lists all visitors of these slugs that are there, or lists them no more; resolves with how many. */
export const listVisitors = (db: Queryable, slugs: string[], listed: boolean): Promise<number> =>
  readVisitors(
    async () =>
      (
        await db.query(`update public.visitors set listed = $2 where ${THESE} and listed <> $2`, [
          slugs,
          listed,
        ])
      ).rowCount,
  )

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
