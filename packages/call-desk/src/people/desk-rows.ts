import type { Queryable } from '@heyline/database'
import { type Person, type PersonRows, slugsOf } from './person.js'

const REQUESTS = 'call_desk.call_requests'

/** In SQL: whether a text is one of the slugs, which are $1. */
export const isOneOf = (text: string): string =>
  `lower(${text}) in (select lower(given.slug) from jsonb_array_elements_text($1::jsonb) given (slug))`

/** Which requests are a person's, in SQL. Its parameter: $1. Refused ones and the others have an index each. */
export function requestsOf(person: Person): { where: string; value: unknown } {
  if ('visitor' in person) return { where: isOneOf('r.slug'), value: slugsOf(person) }
  return {
    where: "(r.phone = $1 and r.state = 'refused' or r.phone = $1 and r.state <> 'refused')",
    value: person.number,
  }
}

/** Ids of the records of the person's calls. */
export async function callRecordsOf(db: Queryable, person: Person): Promise<string[]> {
  const { where, value } = requestsOf(person)
  const { rows } = await db.query<{ id: string }>(`select r.id from ${REQUESTS} r where ${where}`, [value])
  return rows.map(({ id }) => id)
}

/** Ids by which the platform knows the person's calls. */
export async function platformCallsOf(db: Queryable, person: Person): Promise<string[]> {
  const { where, value } = requestsOf(person)
  const { rows } = await db.query<{ id: string }>(
    `select r.platform_call_id as id from ${REQUESTS} r where ${where} and r.platform_call_id is not null`,
    [value],
  )
  return rows.map(({ id }) => id)
}

/**
 * Messages of the platform that are not dealt with, and tell of the person: in SQL, with the person's number without its plus (or null) as
 * $1 and the ids of the requests and of the platform's calls as $2. A body is no JSON that the database could look into: it was written by a stranger.
 */
export const INBOX_OF = `i.body is not null and (
  i.body ~ ('(^|[^0-9])' || $1::text || '($|[^0-9])')
  or exists (select from jsonb_array_elements_text($2::jsonb) call(id) where strpos(i.body, call.id) > 0))`

/** The parameters of `INBOX_OF`. The platform never heard of what was refused, so no message tells of that. */
export async function inboxParameters(db: Queryable, person: Person): Promise<unknown[]> {
  const { where, value } = requestsOf(person)
  const { rows } = await db.query<{ id: string; call: string | null }>(
    `select r.id, r.platform_call_id as call from ${REQUESTS} r
     where ${where} and (r.state <> 'refused' or r.platform_call_id is not null)`,
    [value],
  )
  return [digitsOf(person), rows.flatMap(({ id, call }) => (call === null ? [id] : [id, call]))]
}

const digitsOf = (person: Person): string | null =>
  'number' in person ? person.number.replace('+', '') : null

/** How many requests one part holds: their transcripts may be long. */
const PART_SIZE = 200

/** Everything that the desk has stored of a person, table by table, in parts. No secret of the server is in it. */
export async function* deskRowsOf(db: Queryable, person: Person): AsyncGenerator<PersonRows> {
  yield* requestRows(db, person)
  const { where, value } = requestsOf(person)
  const mine = `select r.id from ${REQUESTS} r where ${where}`
  const all = async (table: string, condition: string, parameters: unknown[]): Promise<PersonRows> => {
    const { rows } = await db.query<{ row: unknown }>(
      `select to_jsonb(i) as row from ${table} i where ${condition}`,
      parameters,
    )
    return { table, rows: rows.map(({ row }) => row) }
  }
  yield await all('call_desk.ledger', `coalesce(i.transfer_of, i.request_id) in (${mine})`, [value])
  yield await all(
    'call_desk.do_not_call',
    'number' in person ? 'i.phone = $1' : `i.request_id in (${mine})`,
    [value],
  )
  yield await all('call_desk.inbox', INBOX_OF, await inboxParameters(db, person))
  if (!('visitor' in person)) {
    yield await all('call_desk.campaign_customers', 'i.phone = $1', [person.number])
    return
  }
  yield await all('call_desk.slug_resets', isOneOf('i.slug'), [value])
  yield await all('call_desk.caller_ids', isOneOf('i.slug'), [value])
  yield await all('call_desk.slug_totals', isOneOf('i.slug'), [value])
  yield await all('call_desk.audit', isOneOf("i.detail ->> 'slug'"), [value])
}

async function* requestRows(db: Queryable, person: Person): AsyncGenerator<PersonRows> {
  const { where, value } = requestsOf(person)
  // The values of the last row, and not its id alone: retention may have removed that row meanwhile.
  for (let after: { created_at: string; id: string } | undefined; ; ) {
    // Whoever has the control's address may end the call, and a claim is the worker's own.
    const { rows } = await db.query<{ row: { created_at: string; id: string } }>(
      `select to_jsonb(r) - 'control_url' - 'claim' as row from ${REQUESTS} r
       where ${where} and ($2::timestamptz is null or (r.created_at, r.id) > ($2::timestamptz, $3::uuid))
       order by r.created_at, r.id limit ${PART_SIZE}`,
      [value, after?.created_at, after?.id],
    )
    if (rows.length > 0 || after === undefined) yield { table: REQUESTS, rows: rows.map(({ row }) => row) }
    if (rows.length < PART_SIZE) return
    after = rows.at(-1)?.row
  }
}
