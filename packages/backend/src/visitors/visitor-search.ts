import type { Db, Queryable } from '@heyline/database'
import { readVisitors } from './attempted.js'
import { type FoundVisitors, MOST_FOUND, type VisitorQuery, type VisitorSearch } from './visitor-query.js'

/** So many are counted of those with a text: all visitors are looked at until so many are found. */
const MOST_WITH_TEXT = 10_000

/** Each has an index. The slug is one order by itself; the id makes the others one. */
const ORDERS = { slug: ['lower(slug)'], name: ['lower(name)', 'id'], created: ['created_at', 'id'] } as const

/** The same of what was read from the index. */
const FOUND_ORDERS = { slug: ['slug'], name: ['name', 'id'], created: ['created_at', 'id'] } as const

/** Searches the visitors of the built-in backend. */
export const createVisitorSearch =
  (db: Db): VisitorSearch =>
  (query) =>
    readVisitors(() => found(db, query))

const found = (db: Queryable, query: VisitorQuery): Promise<FoundVisitors> =>
  query.text ? foundByText(db, query, query.text) : pageOfAll(db, query)

/** One pass over the index of the order that is asked for finds and counts. */
async function foundByText(db: Queryable, query: VisitorQuery, text: string): Promise<FoundVisitors> {
  const { where, parameters } = filterOf(query)
  const holds = `lower($${parameters.push(text)})`
  const order = orderOf(query)
  const byFound = orderOf(query, FOUND_ORDERS)
  // Postgres would rather read the whole table: `offset 0` has it read the index, and compare what stands there in lower case.
  const { rows } = await db.query<FoundRow & { total: number }>(
    `with hits as materialized (
       select * from (
         select id, lower(slug) as slug, lower(name) as name${query.sort === 'created' ? ', created_at' : ''}
         from public.visitors v ${where} order by ${order} offset 0) words
       where strpos(slug, ${holds}) > 0 or strpos(name, ${holds}) > 0
       order by ${byFound} limit ${Math.max(MOST_WITH_TEXT + 1, query.offset + query.limit)}),
     page as (select id from hits order by ${byFound} ${pageOf(query)})
     select counted.total, shown.* from (select count(*)::integer as total from hits) counted
       left join (${SHOWN} where id in (select id from page)) shown on true
     order by ${order}`,
    parameters,
  )
  return answerOf(rows, rows[0]?.total ?? 0, MOST_WITH_TEXT)
}

async function pageOfAll(db: Queryable, query: VisitorQuery): Promise<FoundVisitors> {
  const { where, parameters } = filterOf(query)
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

function filterOf({ listed, prompt }: VisitorQuery): { where: string; parameters: unknown[] } {
  const conditions: string[] = []
  const parameters: unknown[] = []
  const parameter = (value: unknown) => `$${parameters.push(value)}`
  if (listed !== undefined) conditions.push(`listed = ${parameter(listed)}`)
  // An index has those without a prompt, so that no prompt is read.
  if (prompt !== undefined)
    conditions.push(
      `exists (select from public.visitors w where w.id = v.id and w.system is null) <> ${parameter(prompt)}::boolean`,
    )
  return { where: conditions.length > 0 ? `where ${conditions.join(' and ')}` : '', parameters }
}

const orderOf = (
  { sort, isDescending }: VisitorQuery,
  orders: Record<VisitorQuery['sort'], readonly string[]> = ORDERS,
): string => orders[sort].map((column) => `${column}${isDescending ? ' desc' : ''}`).join(', ')

const pageOf = ({ limit, offset }: VisitorQuery): string =>
  `limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`
