import type { Queryable } from '@heyline/database'
import { type CallRecord, callRecord, plain, RECORD_COLUMNS } from './call-record.js'

/** How many requests one part of an export holds: their transcripts may be long. */
const PART_SIZE = 200

/** All requests, the oldest first, in parts. Not one snapshot: what changes meanwhile may be in it or not. */
export async function* exportCalls(db: Queryable): AsyncGenerator<CallRecord[]> {
  for (let after: string | undefined; ; ) {
    const { rows } = await db.query(
      `select ${RECORD_COLUMNS} from call_desk.call_requests c
       where $1::uuid is null
         or (c.created_at, c.id) > (select b.created_at, b.id from call_desk.call_requests b where b.id = $1::uuid)
       order by c.created_at, c.id limit ${PART_SIZE}`,
      [after],
    )
    const calls = rows.map((row) => callRecord.parse(plain(row)))
    if (calls.length > 0) yield calls
    if (calls.length < PART_SIZE) return
    after = calls.at(-1)?.id
  }
}
