import { boundedParts, type Queryable } from '@heyline/database'
import { readVisitors } from './attempted.js'
import { COLUMNS } from './row.js'
import { THESE } from './stored-visitor.js'
import type { Visitor } from './visitor.js'

/** A part is in memory as a whole. */
const PART = { rows: 200, bytes: 2_000_000 }

/** A visitor, and the bytes of the visitor's texts. */
export interface MeasuredVisitor {
  slug: string
  bytes: number
}

/** How long a visitor's texts are is known without reading them. */
const MEASURED =
  'slug, octet_length(name) + coalesce(octet_length(system), 0) + coalesce(octet_length(first_message), 0) as bytes'

/** All visitors, by slug, in parts. Not one snapshot. Rejects with a `VisitorError`. */
export async function* allVisitors(db: Queryable): AsyncGenerator<Visitor[]> {
  for (let after = ''; ; ) {
    const { rows } = await readVisitors(() =>
      db.query<MeasuredVisitor>(
        `select ${MEASURED} from public.visitors where lower(slug) > lower($1) order by lower(slug) limit ${PART.rows}`,
        [after],
      ),
    )
    yield* read(db, rows)
    if (rows.length < PART.rows) return
    after = rows.at(-1)?.slug ?? ''
  }
}

/** The visitors of these slugs that are there, in the same way. */
export async function* visitorsOf(db: Queryable, slugs: readonly string[]): AsyncGenerator<Visitor[]> {
  yield* read(db, await measureVisitors(db, slugs))
}

/** How long the texts of the visitors of these slugs are, of those that are there, by slug. */
export const measureVisitors = (db: Queryable, slugs: readonly string[]): Promise<MeasuredVisitor[]> =>
  readVisitors(
    async () =>
      (
        await db.query<MeasuredVisitor>(
          `select ${MEASURED} from public.visitors where ${THESE} order by lower(slug)`,
          [slugs],
        )
      ).rows,
  )

async function* read(db: Queryable, measured: readonly MeasuredVisitor[]): AsyncGenerator<Visitor[]> {
  for (const part of boundedParts(measured, PART)) {
    const slugs = part.map(({ slug }) => slug)
    const { rows } = await readVisitors(() =>
      db.query<Visitor>(`select ${COLUMNS} from public.visitors where ${THESE} order by lower(slug)`, [
        slugs,
      ]),
    )
    if (rows.length > 0) yield rows
  }
}
