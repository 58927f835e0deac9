import type { Db, Queryable } from '@heyline/database'
import { readVisitors } from './attempted.js'
import { type FoundVisitors, MOST_FOUND, type VisitorQuery, type VisitorSearch } from './visitor-query.js'

/** So many are counted of those with a text: all visitors are looked at until so many are found. */
const MOST_WITH_TEXT = 10_000
/** Visitors that one statement looks at. */
const PART = 10_000

/** Each has an index. The slug is one order by itself; the id makes the others one. */
const ORDERS = { slug: ['lower(slug)'], name: ['lower(name)', 'id'], created: ['created_at', 'id'] } as const

/** The same of what was read from the index. */
const FOUND_ORDERS = { slug: ['slug'], name: ['name', 'id'], created: ['created_at', 'id'] } as const
const COLUMN_TYPES = { slug: 'text', name: 'text', created_at: 'timestamptz', id: 'uuid' } as const

/** Searches the visitors of the built-in backend. */
export const createVisitorSearch =
  (db: Db): VisitorSearch =>
  (query) =>
    readVisitors(() => found(db, query))

const found = (db: Queryable, query: VisitorQuery): Promise<FoundVisitors> =>
  query.text ? foundByText(db, query, query.text) : pageOfAll(db, query)

/** Where a part ends: what its last visitor is ordered by. */
interface PartEnd {
  slug?: string
  name?: string
  id?: string
  /** As Postgres writes it: it knows more than milliseconds. */
  created_at?: string
}

/** What one part has of those with the text, and where it ends; null where no visitor is left. */
interface FoundPart {
  hits: number
  /** Of the page that is asked for. */
  ids: string[]
  end: PartEnd | null
}

/**
 * One pass over the index of the order that is asked for finds and counts. It goes in parts, because others wait on PGlite while a statement runs:
 * a text and names that were made for it take a hundred times as long to compare as others.
 */
async function foundByText(db: Queryable, query: VisitorQuery, text: string): Promise<FoundVisitors> {
  const ids: string[] = []
  let most = Math.max(MOST_WITH_TEXT + 1, query.offset + query.limit)
  let { offset } = query
  let total = 0
  for (let after: PartEnd | null = {}; after && most > 0; ) {
    const page = { offset, limit: query.limit - ids.length }
    const part: FoundPart = await partByText(db, { ...query, ...page }, { text, after, most })
    ids.push(...part.ids)
    total += part.hits
    most -= part.hits
    offset = Math.max(offset - part.hits, 0)
    after = part.end
  }
  const { rows } = await db.query<FoundRow>(
    `${SHOWN} where id = any ($1::uuid[]) order by ${orderOf(query)}`,
    [`{${ids.join(',')}}`],
  )
  return answerOf(rows, total, MOST_WITH_TEXT)
}

async function partByText(
  db: Queryable,
  query: VisitorQuery,
  { text, after, most }: { text: string; after: PartEnd; most: number },
): Promise<FoundPart> {
  const { conditions, parameters } = filterOf(query)
  const parameter = (value: unknown) => `$${parameters.push(value)}`
  const holds = `lower(${parameter(text)})`
  const columns = FOUND_ORDERS[query.sort]
  if (columns.some((column) => after[column] !== undefined)) {
    const given = columns.map((column) => `${parameter(after[column])}::${COLUMN_TYPES[column]}`)
    conditions.push(
      `(${ORDERS[query.sort].join(', ')}) ${query.isDescending ? '<' : '>'} (${given.join(', ')})`,
    )
  }
  const all = `from public.visitors v ${whereOf(conditions)} order by ${orderOf(query)}`
  const keys = columns.map((column, index) => `${ORDERS[query.sort][index]} as ${column}`)
  const byFound = orderOf(query, FOUND_ORDERS)
  // What stands in the index is compared in lower case; Postgres would rather read the whole table where there is no limit.
  const { rows } = await db.query<FoundPart>(
    `with hits as materialized (
       select * from (
         select id, lower(slug) as slug, lower(name) as name${query.sort === 'created' ? ', created_at' : ''}
         ${all} limit ${PART}) words
       where strpos(slug, ${holds}) > 0 or strpos(name, ${holds}) > 0
       order by ${byFound} limit ${most})
     select (select count(*)::integer from hits) as hits,
       (select coalesce(jsonb_agg(id), '[]') from (select id from hits order by ${byFound} ${pageOf(query)}) page) as ids,
       (select to_jsonb(last) from (select ${keys.join(', ')} ${all} limit 1 offset ${PART - 1}) last) as end`,
    parameters,
  )
  return rows[0] ?? { hits: 0, ids: [], end: null }
}

async function pageOfAll(db: Queryable, query: VisitorQuery): Promise<FoundVisitors> {
  const { conditions, parameters } = filterOf(query)
  const where = whereOf(conditions)
  // In order, so that the index is read and not the table with its prompts.
  const filtered = where && `${where} order by ${orderOf(query)}`
  const total = await counted(db, `public.visitors v ${filtered} limit ${MOST_FOUND + 1}`, parameters)
  if (total <= MOST_FOUND && query.offset >= total) return answerOf([], total, MOST_FOUND)
  // From whichever end is nearer: rows that are left out have to be read, too.
  const isFar = total <= MOST_FOUND && query.offset > total / 2
  const rest = total - query.offset
  const part = isFar
    ? {
        ...query,
        isDescending: !query.isDescending,
        limit: Math.min(query.limit, rest),
        offset: Math.max(rest - query.limit, 0),
      }
    : query
  // An index answers for what is left out. The rows themselves are read for the page alone.
  const { rows } = await db.query<FoundRow>(
    `with page as materialized (
       select id, slug, name from public.visitors v ${where} order by ${orderOf(part)} ${pageOf(part)})
     ${SHOWN} where id in (select id from page) order by ${orderOf(query)}`,
    parameters,
  )
  return answerOf(rows, total, MOST_FOUND)
}

/** What the list shows of visitors. */
const SHOWN =
  'select id, slug, name, listed, system is not null as "hasPrompt", created_at from public.visitors'

interface FoundRow {
  slug: string | null
  name: string
  listed: boolean
  hasPrompt: boolean
  created_at: Date
}

/** A row without a slug stands for no row. */
const answerOf = (rows: FoundRow[], total: number, most: number): FoundVisitors => ({
  visitors: rows.flatMap(({ slug, name, listed, hasPrompt, created_at }) =>
    slug === null ? [] : [{ slug, name, listed, hasPrompt, createdAt: created_at }],
  ),
  total: Math.min(total, most),
  isMore: total > most,
})

async function counted(db: Queryable, from: string, parameters: unknown[]): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*)::integer as total from (select from ${from}) hits`,
    parameters,
  )
  return rows[0]?.total ?? 0
}

const whereOf = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''

function filterOf({ listed, prompt }: VisitorQuery): { conditions: string[]; parameters: unknown[] } {
  const conditions: string[] = []
  const parameters: unknown[] = []
  const parameter = (value: unknown) => `$${parameters.push(value)}`
  if (listed !== undefined) conditions.push(`listed = ${parameter(listed)}`)
  // An index has those without a prompt, so that no prompt is read.
  if (prompt !== undefined)
    conditions.push(
      `exists (select from public.visitors w where w.id = v.id and w.system is null) <> ${parameter(prompt)}::boolean`,
    )
  return { conditions, parameters }
}

const orderOf = (
  { sort, isDescending }: VisitorQuery,
  orders: Record<VisitorQuery['sort'], readonly string[]> = ORDERS,
): string => orders[sort].map((column) => `${column}${isDescending ? ' desc' : ''}`).join(', ')

const pageOf = ({ limit, offset }: VisitorQuery): string =>
  `limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`
