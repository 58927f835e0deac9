import type { Queryable } from '@heyline/database'
import { isCallId } from '../resources/call-id.js'

/** Whose calls are meant: of a customer with this number (E.164), and those with these ids. Ids that are none of ours name nothing. */
export interface PersonCalls {
  number?: string | undefined
  callIds: readonly string[]
}

/** Rows of one table, as they are stored. */
export interface PersonCallRows {
  table: string
  rows: unknown[]
}

/** The parameters of the conditions below: the number, and the ids. */
const parametersOf = ({ number, callIds }: PersonCalls): unknown[] => [
  number,
  `{${callIds.filter(isCallId).join(',')}}`,
]

const CALLS = "(c.customer is not null and c.customer ->> 'number' = $1 or c.id = any ($2::uuid[]))"
const LEGS = '(l.callee = $1 or coalesce(l.transfer_of, l.call_id) = any ($2::uuid[]))'
/** What a carrier has in hand. It holds no number. */
const CARRIER_LEGS = `(l.call_id = any ($2::uuid[]) or l.call_id in (select c.id from voice_platform.calls c where ${CALLS}))`

/** In SQL: the number in a text, as a regular expression; $1 is the number. */
const NUMBER = "('\\' || $1::text || '(?![0-9])')"
/** Calls of others that went to the number, or tell of it. */
const TOLD = `(c.forwarded_to = $1 or c.messages::text ~ ${NUMBER}
  or c.id in (select l.call_id from voice_platform.call_lines l where l.message::text ~ ${NUMBER}))`
const HIDDEN = '(removed number)'

/** How many calls one part holds: what was said may be long. */
const PART_SIZE = 50

/** Everything that the platform has stored of a person's calls, in parts. No secret of a room is in it. */
export async function* platformRowsOf(db: Queryable, person: PersonCalls): AsyncGenerator<PersonCallRows> {
  const table = 'voice_platform.calls'
  // The values of the last row, and not its id alone: retention may have removed that row meanwhile.
  for (let after: { created_at: string; id: string } | undefined; ; ) {
    const { rows } = await db.query<{ row: { created_at: string; id: string } }>(
      `select to_jsonb(c) - 'room_secret_hash' - 'resume_token_hash' as row from ${table} c
       where ${CALLS} and ($3::timestamptz is null or (c.created_at, c.id) > ($3::timestamptz, $4::uuid))
       order by c.created_at, c.id limit ${PART_SIZE}`,
      [...parametersOf(person), after?.created_at, after?.id],
    )
    if (rows.length > 0 || after === undefined) yield { table, rows: rows.map(({ row }) => row) }
    if (rows.length < PART_SIZE) break
    after = rows.at(-1)?.row
  }
  // What else is in these rows tells of others.
  const forwarded = await db.query<{ row: unknown }>(
    `select jsonb_build_object('id', c.id, 'created_at', c.created_at, 'forwarded_to', c.forwarded_to) as row
     from ${table} c where c.forwarded_to = $1 and ${CALLS} is not true order by c.created_at, c.id`,
    parametersOf(person),
  )
  if (forwarded.rows.length > 0) yield { table, rows: forwarded.rows.map(({ row }) => row) }
  const lines = await db.query<{ row: unknown }>(
    `select to_jsonb(l) as row from voice_platform.call_lines l join ${table} c on c.id = l.call_id where ${CALLS}
     order by l.call_id, l.position`,
    parametersOf(person),
  )
  yield { table: 'voice_platform.call_lines', rows: lines.rows.map(({ row }) => row) }
  const legs = await db.query<{ row: unknown }>(
    `select to_jsonb(l) - 'room_secret_hash' as row from voice_platform.simulated_legs l where ${LEGS}`,
    parametersOf(person),
  )
  yield { table: 'voice_platform.simulated_legs', rows: legs.rows.map(({ row }) => row) }
  const atCarrier = await db.query<{ row: unknown }>(
    `select to_jsonb(l) - 'stream_key_hash' as row from voice_platform.carrier_legs l where ${CARRIER_LEGS}`,
    parametersOf(person),
  )
  yield { table: 'voice_platform.carrier_legs', rows: atCarrier.rows.map(({ row }) => row) }
}

/** Whether a call of the person, or one that tells of the number, has not ended; or a carrier has one of the person's in hand that may go on. */
export async function isRunningOnPlatform(db: Queryable, person: PersonCalls): Promise<boolean> {
  const { rows } = await db.query(
    `select from voice_platform.calls c where (${CALLS} or ${TOLD}) and c.status <> 'ended'
     union all select from voice_platform.carrier_legs l where ${CARRIER_LEGS} and l.created_at > now() - interval '1 day' limit 1`,
    parametersOf(person),
  )
  return rows.length > 0
}

/**
 * Removes a person's calls from the platform's tables; resolves with the ids of the removed calls, or with `running` while one of these, or
 * one that tells of the number, has not ended: then nothing was removed. To be asked in a transaction, and `hideOnPlatform` after it.
 */
export async function eraseFromPlatform(
  tx: Queryable,
  person: PersonCalls,
): Promise<{ running: true } | { running: false; erased: string[] }> {
  if (await isRunningOnPlatform(tx, person)) return { running: true }
  const parameters = parametersOf(person)
  await tx.query(`delete from voice_platform.simulated_legs l where ${LEGS}`, parameters)
  await tx.query(`delete from voice_platform.carrier_legs l where ${CARRIER_LEGS}`, parameters)
  const { rows } = await tx.query<{ id: string }>(
    `delete from voice_platform.calls c where ${CALLS} returning c.id`,
    parameters,
  )
  return { running: false, erased: rows.map(({ id }) => id) }
}

/** How many calls are looked through at a time, so that nobody waits long for the database. */
const LOOK_SIZE = 100

/**
 * Takes the number (E.164) out of the calls of others that went to it or tell of it, and have ended. It reads all that was ever said, in
 * parts: in no transaction, and under no lock.
 */
export async function hideOnPlatform(db: Queryable, number: string): Promise<void> {
  for (let after: { created_at: string; id: string } | undefined; ; ) {
    const { rows } = await db.query<{ created_at: string; id: string }>(
      `with part as (
         select c.created_at, c.id from voice_platform.calls c
         where $2::timestamptz is null or (c.created_at, c.id) > ($2::timestamptz, $3::uuid)
         order by c.created_at, c.id limit ${LOOK_SIZE}),
       hidden as (
         update voice_platform.calls c set forwarded_to = nullif(c.forwarded_to, $1),
           messages = regexp_replace(c.messages::text, ${NUMBER}, '${HIDDEN}', 'g')::jsonb,
           transcript = regexp_replace(c.transcript, ${NUMBER}, '${HIDDEN}', 'g')
         where c.id in (select part.id from part) and c.status = 'ended' and ${TOLD})
       select to_jsonb(created_at) as created_at, id from part order by part.created_at desc, id desc limit 1`,
      [number, after?.created_at, after?.id],
    )
    after = rows[0]
    if (!after) return
  }
}
