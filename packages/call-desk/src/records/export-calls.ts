import type { Queryable } from '@heyline/database'
import { type CallRecord, callRecord, plain, recordColumns } from './call-record.js'

/** How many requests one part of an export holds: their transcripts may be long. */
const partSize = 200

/** All requests, the oldest first, in parts. Not one snapshot: what changes meanwhile may be in it or not. */
export async function* exportCalls(db: Queryable): AsyncGenerator<CallRecord[]> {
  for (let after: string | undefined; ; ) {
    const { rows } = await db.query(
      `select ${recordColumns} from call_desk.call_requests c
       where $1::uuid is null
         or (c.created_at, c.id) > (select b.created_at, b.id from call_desk.call_requests b where b.id = $1::uuid)
       order by c.created_at, c.id limit ${partSize}`,
      [after],
    )
    const calls = rows.map((row) => callRecord.parse(plain(row)))
    if (calls.length > 0) yield calls
    if (calls.length < partSize) return
    after = calls.at(-1)?.id
  }
}
