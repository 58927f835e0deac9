import type { Queryable } from '@heyline/database'
import { readVisitors } from './attempted.js'
import { COLUMNS } from './row.js'
import { THESE } from './stored-visitor.js'
import type { Visitor } from './visitor.js'

/** Most visitors of one part. */
const PART_ROWS = 200
/** Most bytes of their texts, unless a single visitor has more: a part is in memory as a whole. */
const PART_BYTES = 2_000_000

interface Measured {
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
      db.query<Measured>(
        `select ${MEASURED} from public.visitors where lower(slug) > lower($1) order by lower(slug) limit ${PART_ROWS}`,
        [after],
      ),
    )
    yield* read(db, rows)
    if (rows.length < PART_ROWS) return
    after = rows.at(-1)?.slug ?? ''
  }
}

/** The visitors of these slugs that are there, in the same way. */
export async function* visitorsOf(db: Queryable, slugs: readonly string[]): AsyncGenerator<Visitor[]> {
  const { rows } = await readVisitors(() =>
    db.query<Measured>(`select ${MEASURED} from public.visitors where ${THESE} order by lower(slug)`, [
      slugs,
    ]),
  )
  yield* read(db, rows)
}

async function* read(db: Queryable, measured: readonly Measured[]): AsyncGenerator<Visitor[]> {
  for (const slugs of partsOf(measured)) {
    const { rows } = await readVisitors(() =>
      db.query<Visitor>(`select ${COLUMNS} from public.visitors where ${THESE} order by lower(slug)`, [
        slugs,
      ]),
    )
    if (rows.length > 0) yield rows
  }
}

function* partsOf(measured: readonly Measured[]): Generator<string[]> {
  let part: string[] = []
  let held = 0
  for (const { slug, bytes } of measured) {
    if (part.length === PART_ROWS || (part.length > 0 && held + bytes > PART_BYTES)) {
      yield part
      part = []
      held = 0
    }
    part.push(slug)
    held += bytes
  }
  if (part.length > 0) yield part
}
