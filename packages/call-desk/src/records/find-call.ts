import type { Queryable } from '@heyline/database'
import { type CallRecord, callRecord, plain, RECORD_COLUMNS } from './call-record.js'
import { RecordsError } from './records-error.js'

/** Fewest characters that an id may be cut to. */
const SHORTEST = 6

/** The id that begins so. Rejects where none or several do. */
export async function findCallId(db: Queryable, id: string): Promise<string> {
  const hex = id.trim().replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{1,32}$/.test(hex) || hex.length < SHORTEST)
    throw new RecordsError(
      'invalid_id',
      `An id is ${SHORTEST} or more characters of 0–9 and a–f, as calls list shows them`,
    )
  // Ids of one beginning stand side by side in the index.
  const { rows } = await db.query<{ id: string }>(
    'select id from call_desk.call_requests where id between $1::uuid and $2::uuid limit 2',
    [hex.padEnd(32, '0'), hex.padEnd(32, 'f')],
  )
  const [found, other] = rows
  if (!found)
    throw new RecordsError('call_not_found', `No call begins with ${id}: see heyline calls list for them`)
  if (other) throw new RecordsError('several_calls', `Several calls begin with ${id}: give more of the id`)
  return found.id
}

/** All that is stored of the call whose id begins so. */
export async function findCall(db: Queryable, id: string): Promise<CallRecord> {
  const { rows } = await db.query(
    `select ${RECORD_COLUMNS} from call_desk.call_requests c where c.id = $1::uuid`,
    [await findCallId(db, id)],
  )
  return callRecord.parse(plain(rows[0] ?? {}))
}
