import type { Db, Queryable } from '@heyline/database'
import { readVisitors } from './attempted.js'
import { type FoundVisitors, MOST_FOUND, type VisitorQuery, type VisitorSearch } from './visitor-query.js'

/** So many are counted of those with a text, which no index finds. Fewer are found and ordered in one reading of the table. */
const MOST_WITH_TEXT = 10_000

/** Each has an index. The id makes it one order: unlike the slug it costs nothing to read where rows are left out. */
const ORDERS = { slug: ['lower(slug)'], name: ['lower(name)', 'id'], created: ['created_at', 'id'] } as const

/** Searches the visitors of the built-in backend. */
export const createVisitorSearch =
  (db: Db): VisitorSearch =>
  (query) =>
    readVisitors(() => found(db, query))

async function found(db: Queryable, query: VisitorQuery): Promise<FoundVisitors> {
  const { condition, parameters } = conditionOf(query)
  const from = `(select id, slug, name, listed, system is not null as "hasPrompt", created_at
    from public.visitors where ${condition})`
  if (query.text) {
    const { rows } = await db.query<FoundRow & { total: number }>(
      `with hits as materialized (select * from ${from} v limit ${MOST_WITH_TEXT + 1}),
         counted as (select count(*)::integer as total from hits)
       select counted.total, page.* from counted left join
         (select * from hits where (select total from counted) <= ${MOST_WITH_TEXT}
          order by ${orderOf(query)} ${pageOf(query)}) page on true`,
      parameters,
    )
    const total = rows[0]?.total ?? 0
    if (total <= MOST_WITH_TEXT) return answerOf(rows, total, MOST_WITH_TEXT)
  }
  const most = query.text ? MOST_WITH_TEXT : MOST_FOUND
  const total = query.text ? most + 1 : await counted(db, `${from} v limit ${most + 1}`, parameters)
  if (total <= most && query.offset >= total) return answerOf([], total, most)
  // From whichever end is nearer: rows that are left out have to be read, too.
  const isFar = total <= most && query.offset > total / 2
  const rest = total - query.offset
  const part = isFar
    ? {
        ...query,
        isDescending: !query.isDescending,
        limit: Math.min(query.limit, rest),
        offset: Math.max(rest - query.limit, 0),
      }
    : query
  const { rows } = await db.query<FoundRow>(
    `select * from ${from} v order by ${orderOf(part)} ${pageOf(part)}`,
    parameters,
  )
  return answerOf(isFar ? rows.reverse() : rows, total, most)
}

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

function conditionOf({ text, listed, prompt }: VisitorQuery): { condition: string; parameters: unknown[] } {
  const conditions: string[] = []
  const parameters: unknown[] = []
  const parameter = (value: unknown) => `$${parameters.push(value)}`
  if (text) {
    // One reading without regard to language, which is quick, and knows case in ASCII alone: other letters match anything there.
    const words = "(slug || E'\\n' || name)"
    const loose = [...escaped(text)].map((letter) => (letter <= '\x7F' ? letter : '%')).join('')
    conditions.push(`${words} ilike ${parameter(`%${loose}%`)} collate "C"`)
    if (loose !== escaped(text)) conditions.push(`${words} ilike ${parameter(`%${escaped(text)}%`)}`)
  }
  if (listed !== undefined) conditions.push(`listed = ${parameter(listed)}`)
  if (prompt !== undefined) conditions.push(`(system is not null) = ${parameter(prompt)}`)
  return { condition: conditions.join(' and ') || 'true', parameters }
}

/** For `ilike`: `%`, `_` and `\` match themselves only. */
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const orderOf = ({ sort, isDescending }: VisitorQuery): string =>
  ORDERS[sort].map((column) => `${column}${isDescending ? ' desc' : ''}`).join(', ')

const pageOf = ({ limit, offset }: VisitorQuery): string =>
  `limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`
