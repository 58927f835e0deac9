import type { Queryable } from '@heyline/database'
import { mapInTurns } from '@heyline/kit/loop-turn'
import { type CallFilter, conditionsOf } from './call-filter.js'
import { type CallRecord, callRecord, plain, RECORD_COLUMNS } from './call-record.js'

/** How many requests one part of an export holds: their transcripts may be long. */
const PART_SIZE = 200

/** All requests that a filter means, the oldest first, in parts. Not one snapshot: what changes meanwhile may be in it or not. */
export async function* exportCalls(db: Queryable, filter: CallFilter = {}): AsyncGenerator<CallRecord[]> {
  // The values of the last row, and not its id alone: retention may have removed that row meanwhile.
  for (let after: { stored: string; id: string } | undefined; ; ) {
    const values: unknown[] = [after?.stored, after?.id]
    const conditions = [
      '($1::timestamptz is null or (c.created_at, c.id) > ($1::timestamptz, $2::uuid))',
      ...conditionsOf(filter, values),
    ]
    const { rows } = await db.query<Record<string, unknown> & { stored: string; id: string }>(
      `select ${RECORD_COLUMNS}, c.created_at::text as stored from call_desk.call_requests c
       where ${conditions.join(' and ')} order by c.created_at, c.id limit ${PART_SIZE}`,
      values,
    )
    const calls = await mapInTurns(rows, (row) => callRecord.parse(plain(row)))
    if (calls.length > 0) yield calls
    if (calls.length < PART_SIZE) return
    after = rows.at(-1)
  }
}
