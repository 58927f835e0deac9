import type { HidingPlace, Queryable } from '@heyline/database'
import type { WrittenNumber } from '@heyline/kit/written-number'
import { isCallId } from '../resources/call-id.js'
import { shown } from './without-secrets.js'

/** Whose calls are meant: of a customer with this number (E.164), and those with these ids. Ids that are none of ours name nothing. */
export interface PersonCalls {
  number?: string | undefined
  /** Finds the number where others chose how to write it: in sessions. They are known by E.164 alone without it. */
  written?: WrittenNumber | undefined
  callIds: readonly string[]
}

/** Rows of one table, as they are stored. */
export interface PersonCallRows {
  table: string
  rows: unknown[]
}

/** The parameters of the conditions below: the number, and the ids. */
const parametersOf = ({ number, callIds }: PersonCalls): unknown[] => [number, idList(callIds)]
const idList = (ids: readonly string[]): string => `{${ids.filter(isCallId).join(',')}}`

const CALLS = "(c.customer is not null and c.customer ->> 'number' = $1 or c.id = any ($2::uuid[]))"
const LEGS = '(l.callee = $1 or coalesce(l.transfer_of, l.call_id) = any ($2::uuid[]))'
/** Chats in these sessions and conversations of pages, these chats, and those that go on from one of them: they hold its words. */
const CHATS = `c.id in (
  with recursive told as (
    select c.id from voice_platform.chats c where c.session_id = any ($1::uuid[])
    union select unnest($2::uuid[])
    union select c.id from voice_platform.chats c join told on c.previous_chat_id = told.id)
  select id from told)`
/** Those that go on from one of these chats. */
const LATER_CHATS = 'c.previous_chat_id = any ($1::uuid[])'
/** What a carrier has in hand. It holds no number. */
const CARRIER_LEGS = `(l.call_id = any ($2::uuid[]) or l.call_id in (select c.id from voice_platform.calls c where ${CALLS}))`

/** A row that changes while others are looked at comes once more. */
const LAST_CHANGED: HidingPlace['order'] = [
  ['updated_at', 'timestamptz'],
  ['id', 'uuid'],
]

/**
 * Where the platform has what was said in calls of others, and what these were told. A call that runs is left alone until it has ended: its
 * process has its words in memory, and writes them once more at the end.
 */
export const CALL_TEXTS: HidingPlace = {
  table: 'voice_platform.calls',
  where: "r.status = 'ended'",
  // Whatever is concluded from an old call comes later, too.
  order: LAST_CHANGED,
  texts: ['transcript', 'ended_reason', 'name'],
  json: [
    'messages',
    'analysis',
    'assistant',
    'assistant_given',
    'overrides',
    'script',
    'activations',
    'variables',
    'customer',
  ],
  emptied: ['forwarded_to'],
}

/** Where sessions, tickets and what tests wrote tell of others. */
export const RESOURCE_TEXTS: HidingPlace = {
  table: 'voice_platform.resources',
  where: "r.family in ('session', 'support-ticket', 'test-suite-run')",
  // Chats add to old sessions.
  order: LAST_CHANGED,
  texts: [],
  json: ['settings'],
  emptied: [],
}

/** Where chats tell of others. */
export const CHAT_TEXTS: HidingPlace = {
  table: 'voice_platform.chats',
  where: 'true',
  order: [
    ['created_at', 'timestamptz'],
    ['id', 'uuid'],
  ],
  texts: ['name'],
  json: ['input', 'messages', 'output', 'overrides', 'assistant_given'],
  emptied: [],
}

/** How whoever answers is set up, also for one customer, which may hold secrets of the installation: of servers, tools, models and voices. */
const SET_UP = ['assistant', 'assistant_given', 'overrides', 'script', 'customer'] as const
type SetUp = { [Name in (typeof SET_UP)[number]]?: unknown }

const withoutSetUpSecrets = (row: SetUp): SetUp => ({
  ...row,
  ...Object.fromEntries(SET_UP.flatMap((name) => (row[name] ? [[name, shown(row[name])]] : []))),
})

/** The ids of sessions with the person, however their number is written there. */
const sessionsOf = (db: Queryable, person: PersonCalls) =>
  idsWith(
    db,
    "select r.id, r.customer_number as told from voice_platform.resources r where r.family = 'session' and r.customer_number is not null",
    person,
  )

/** The ids of chats whose session was with the person: it may be gone. */
const chatsOf = (db: Queryable, person: PersonCalls) =>
  idsWith(
    db,
    'select c.id, c.customer_number as told from voice_platform.chats c where c.customer_number is not null',
    person,
  )

/** Those of these ids that are told with the person's number. */
async function idsWith(db: Queryable, told: string, { number, written }: PersonCalls): Promise<string[]> {
  if (number === undefined) return []
  const { rows } = await db.query<{ id: string; told: string }>(
    `select id, told from (${told}) told_of where told = $1 or told ~ $2`,
    [number, written?.likely],
  )
  const isTheirs = (told: string) => told === number || (written && written.text(told) !== told)
  return rows.filter(({ told }) => isTheirs(told)).map(({ id }) => id)
}

/** How many calls one part holds: what was said may be long. */
const PART_SIZE = 50

/** Everything that the platform has stored of a person's calls, in parts. No secret of a room, a server or a tool is in it. */
export async function* platformRowsOf(db: Queryable, person: PersonCalls): AsyncGenerator<PersonCallRows> {
  const table = 'voice_platform.calls'
  // The values of the last row, and not its id alone: retention may have removed that row meanwhile.
  for (let after: { created_at: string; id: string } | undefined; ; ) {
    const { rows } = await db.query<{ row: { created_at: string; id: string } & SetUp }>(
      `select to_jsonb(c) - 'room_secret_hash' - 'resume_token_hash' as row from ${table} c
       where ${CALLS} and ($3::timestamptz is null or (c.created_at, c.id) > ($3::timestamptz, $4::uuid))
       order by c.created_at, c.id limit ${PART_SIZE}`,
      [...parametersOf(person), after?.created_at, after?.id],
    )
    if (rows.length > 0 || after === undefined)
      yield { table, rows: rows.map(({ row }) => withoutSetUpSecrets(row)) }
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
  // The sound itself is in files, which `heyline person erase` removes with their call.
  const recordings = await db.query<{ row: unknown }>(
    `select to_jsonb(r) as row from voice_platform.recordings r join ${table} c on c.id = r.call_id where ${CALLS}
     order by r.call_id`,
    parametersOf(person),
  )
  yield { table: 'voice_platform.recordings', rows: recordings.rows.map(({ row }) => row) }
  const legs = await db.query<{ row: unknown }>(
    `select to_jsonb(l) - 'room_secret_hash' as row from voice_platform.simulated_legs l where ${LEGS}`,
    parametersOf(person),
  )
  yield { table: 'voice_platform.simulated_legs', rows: legs.rows.map(({ row }) => row) }
  const logs = await db.query<{ row: unknown }>(
    `select to_jsonb(l) as row from voice_platform.logs l
     where l.call_id = any ($2::uuid[]) or l.call_id in (select c.id from ${table} c where ${CALLS}) order by l.id limit 10000`,
    parametersOf(person),
  )
  if (logs.rows.length > 0) yield { table: 'voice_platform.logs', rows: logs.rows.map(({ row }) => row) }
  const sessions = await sessionsOf(db, person)
  const resources = await db.query<{ row: { settings: SetUp } }>(
    `select to_jsonb(r) as row
     from (select id, family, settings, bytes, created_at, updated_at from voice_platform.resources where id = any ($1::uuid[])) r
     order by r.created_at, r.id`,
    [idList(sessions)],
  )
  yield {
    table: 'voice_platform.resources',
    rows: resources.rows.map(({ row }) => ({ ...row, settings: withoutSetUpSecrets(row.settings) })),
  }
  const chats = await db.query<{ row: SetUp }>(
    `select to_jsonb(c) as row from voice_platform.chats c where ${CHATS} order by c.created_at, c.id`,
    [idList([...sessions, ...person.callIds]), idList(await chatsOf(db, person))],
  )
  yield { table: 'voice_platform.chats', rows: chats.rows.map(({ row }) => withoutSetUpSecrets(row)) }
  const atCarrier = await db.query<{ row: unknown }>(
    `select to_jsonb(l) - 'stream_key_hash' as row from voice_platform.carrier_legs l where ${CARRIER_LEGS}`,
    parametersOf(person),
  )
  yield { table: 'voice_platform.carrier_legs', rows: atCarrier.rows.map(({ row }) => row) }
}

/**
 * Whether a call of the person has not ended, or a phone of theirs is in one; or a carrier has one in hand that may go on. A call in the
 * browser is one of theirs by its id alone: whoever starts it can name any number.
 */
export async function isRunningOnPlatform(db: Queryable, person: PersonCalls): Promise<boolean> {
  const { rows } = await db.query(
    `select from voice_platform.calls c
     where c.status <> 'ended' and (c.type <> 'webCall' and c.customer ->> 'number' = $1 or c.id = any ($2::uuid[])
       or c.id in (select coalesce(l.transfer_of, l.call_id) from voice_platform.simulated_legs l where l.callee = $1))
     union all select from voice_platform.carrier_legs l where ${CARRIER_LEGS} and l.created_at > now() - interval '1 day' limit 1`,
    parametersOf(person),
  )
  return rows.length > 0
}

/**
 * Removes a person's calls from the platform's tables; resolves with the ids of the removed calls and how many sessions and chats went with
 * them, or with `running` while a call has not ended: then nothing was removed. To be asked in a transaction.
 */
export async function eraseFromPlatform(
  tx: Queryable,
  person: PersonCalls,
): Promise<{ running: true } | { running: false; erased: string[]; sessions: number; chats: number }> {
  if (await isRunningOnPlatform(tx, person)) return { running: true }
  const parameters = parametersOf(person)
  await tx.query(`delete from voice_platform.simulated_legs l where ${LEGS}`, parameters)
  const sessions = await sessionsOf(tx, person)
  // First, so that a chat whose answer is written at this moment is either stored before the chats go, or nowhere.
  await tx.query('delete from voice_platform.web_chats where session_id = any ($1::uuid[])', [parameters[1]])
  await tx.query('delete from voice_platform.resources where id = any ($1::uuid[])', [idList(sessions)])
  const chats = await eraseChats(tx, [...sessions, ...person.callIds], await chatsOf(tx, person))
  await tx.query(
    `delete from voice_platform.logs l
     where l.call_id = any ($2::uuid[]) or l.call_id in (select c.id from voice_platform.calls c where ${CALLS})`,
    parameters,
  )
  await tx.query(`delete from voice_platform.carrier_legs l where ${CARRIER_LEGS}`, parameters)
  const { rows } = await tx.query<{ id: string }>(
    `delete from voice_platform.calls c where ${CALLS} and c.status = 'ended' returning c.id`,
    parameters,
  )
  const erased = rows.map(({ id }) => id)
  return { running: false, erased, sessions: sessions.length, chats }
}

/** Resolves with how many chats were in these sessions and conversations, or are these, or went on from one of them. */
async function eraseChats(
  tx: Queryable,
  sessions: readonly string[],
  chats: readonly string[],
): Promise<number> {
  const erase = async (where: string, ...ids: (readonly string[])[]) => {
    const sql = `delete from voice_platform.chats c where ${where} returning c.id`
    const { rows } = await tx.query<{ id: string }>(sql, ids.map(idList))
    return rows.map(({ id }) => id)
  }
  let count = 0
  let last = await erase(CHATS, sessions, chats)
  // What went on from one of them may have been stored while that waited for its lock.
  for (; last.length > 0; last = await erase(LATER_CHATS, last)) count += last.length
  return count
}

/** When the oldest call began that has not ended; of those that began before `until`. Undefined: there is none. */
export async function oldestOpenCall(db: Queryable, until: Date): Promise<Date | undefined> {
  const { rows } = await db.query<{ oldest: Date | null }>(
    `select min(created_at) as oldest from voice_platform.calls where status <> 'ended' and created_at <= $1`,
    [until],
  )
  return rows[0]?.oldest ?? undefined
}
