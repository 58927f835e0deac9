import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import { type CallFilter, newestOf } from './call-filter.js'
import { callLine, LINE_COLUMNS, plain } from './call-record.js'
import { findCallId } from './find-call.js'
import { CALL_LIST_LIMIT, callPage, callPageOf } from './list-calls.js'

/** Further than this nobody counts. */
const COUNTED_MOST = 10_000

export const foundCalls = callPage.extend({
  /** How many there are in all; `atLeast`: so many were counted, and there are more. */
  total: z.object({ count: z.number(), atLeast: z.boolean() }),
})
export type FoundCalls = z.output<typeof foundCalls>

type Row = Record<string, unknown> & { count: number; id: string | null }

/**
 * A page of the calls that a filter means, the newest first, and how many there are. `after` as `listCalls` has it. One pass over the index
 * finds and counts.
 */
export async function searchCalls(
  db: Queryable,
  filter: CallFilter,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<FoundCalls> {
  const most = Math.min(limit, CALL_LIST_LIMIT)
  const cursor = after === undefined ? undefined : await findCallId(db, after)
  const values: unknown[] = [most + 1, cursor]
  const newest = newestOf(filter, values)
  const { rows } = await db.query<Row>(
    `with found as materialized (${newest} limit ${COUNTED_MOST + 1}),
     page as (
       select f.created_at, f.id from found f
       where $2::uuid is null
         or (f.created_at, f.id) < (select b.created_at, b.id from call_desk.call_requests b where b.id = $2::uuid)
       order by f.created_at desc, f.id desc limit $1)
     select counted.count, line.* from (select count(*)::int as count from found) counted
     left join lateral (
       select ${LINE_COLUMNS} from page join call_desk.call_requests c on c.id = page.id) line on true
     order by line."createdAt" desc, line.id desc`,
    values,
  )
  const count = rows[0]?.count ?? 0
  const total = { count: Math.min(count, COUNTED_MOST), atLeast: count > COUNTED_MOST }
  const lines = rows.flatMap(({ count: _, ...row }) => (row.id === null ? [] : [callLine.parse(plain(row))]))
  // The page may lie behind what was counted, in part or in whole.
  if (total.atLeast && lines.length <= most)
    return { ...(await callPageOf(db, filter, { limit, after: cursor })), total }
  const calls = lines.slice(0, most)
  return { calls, next: lines.length > most ? (calls.at(-1)?.id ?? null) : null, total }
}
