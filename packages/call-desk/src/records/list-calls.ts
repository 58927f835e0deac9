import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import type { CallState } from '../call/call-state.js'
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
export async function listCalls(db: Queryable, query: CallQuery): Promise<CallPage> {
  const { limit, after, state, slug, since } = query
  const most = Math.min(limit, CALL_LIST_LIMIT)
  const conditions: string[] = []
  const values: unknown[] = [most + 1]
  const where = (condition: (parameter: string) => string, value: unknown) =>
    conditions.push(condition(`$${values.push(value)}`))
  if (after !== undefined)
    where(
      (id) =>
        `(c.created_at, c.id) < (select b.created_at, b.id from call_desk.call_requests b where b.id = ${id}::uuid)`,
      await findCallId(db, after),
    )
  if (state !== undefined) where((text) => `c.state = ${text}`, state)
  if (slug !== undefined) where((text) => `lower(c.slug) = lower(${text})`, slug)
  if (since !== undefined) where((time) => `c.created_at >= ${time}::timestamptz`, since)
  const { rows } = await db.query(
    `select ${LINE_COLUMNS} from call_desk.call_requests c
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by c.created_at desc, c.id desc limit $1`,
    values,
  )
  const calls = rows.slice(0, most).map((row) => callLine.parse(plain(row)))
  return { calls, next: rows.length > most ? (calls.at(-1)?.id ?? null) : null }
}
