import type { Queryable } from '@heyline/database'
import { mapInTurns } from '@heyline/kit/loop-turn'
import { z } from 'zod'
import type { CallState } from '../call/call-state.js'
import { type CallFilter, newestOf } from './call-filter.js'
import { callLine, LINE_COLUMNS, plain } from './call-record.js'
import { findCallId } from './find-call.js'

/** Longest page of the list. */
export const CALL_LIST_LIMIT = 1000

export interface CallQuery {
  /** At most `callListLimit`. */
  limit: number
  /** The id, or its beginning, of the call that comes before the page. */
  after?: string | undefined
  state?: CallState | undefined
  direction?: CallFilter['direction']
  /** The visitor's, in any case. */
  slug?: string | undefined
  /** ISO 8601: not older than this. */
  since?: string | undefined
}

export const callPage = z.object({
  calls: z.array(callLine),
  /** The id to ask from for the next page; null at the end. */
  next: z.string().nullable(),
})
export type CallPage = z.output<typeof callPage>

/** A page of requests, the newest first. */
export const listCalls = (
  db: Queryable,
  { limit, after, state, direction, slug, since }: CallQuery,
): Promise<CallPage> => callPageOf(db, { states: state && [state], direction, slug, since }, { limit, after })

/** A page of the requests that a filter means, the newest first. */
export async function callPageOf(
  db: Queryable,
  filter: CallFilter,
  { limit, after }: Pick<CallQuery, 'limit' | 'after'>,
): Promise<CallPage> {
  const most = Math.min(limit, CALL_LIST_LIMIT)
  const values: unknown[] = [most + 1]
  const older: string[] = []
  if (after !== undefined) {
    const before = `$${values.push(await findCallId(db, after))}::uuid`
    older.push(
      `(c.created_at, c.id) < (select b.created_at, b.id from call_desk.call_requests b where b.id = ${before})`,
    )
  }
  // One index has all that selects rows: the rows themselves are read for the page alone.
  const { rows } = await db.query(
    `with page as materialized (${newestOf(filter, values, older)} limit $1)
     select ${LINE_COLUMNS} from page join call_desk.call_requests c on c.id = page.id
     order by page.created_at desc, page.id desc`,
    values,
  )
  const calls = await mapInTurns(rows.slice(0, most), (row) => callLine.parse(plain(row)))
  return { calls, next: rows.length > most ? (calls.at(-1)?.id ?? null) : null }
}
