import { type Db, isOver, type Queryable } from '@heyline/database'

/** The channel that tells of a stored message. */
export const INBOX_CHANNEL = 'call_desk_inbox'

/** A message as it came: its id is the same at every repetition. */
export interface NewMessage {
  id: string
  /** JSON. */
  body: string
}

/** A message that is to be dealt with. */
export interface OpenMessage {
  id: string
  /** Null for one that was dealt with meanwhile. */
  body: string | null
  receivedAt: Date
  /** How often it failed. */
  attempts: number
}

/** Stores messages, all in one statement: durable when this resolves. One whose id is there already is left as it is. */
export async function storeMessages(db: Db, messages: readonly NewMessage[]): Promise<void> {
  await db.query(
    `with added as (
       insert into call_desk.inbox (id, body)
       select m.id, m.body from json_to_recordset($1::json) as m(id text, body text)
       order by m.id
       on conflict do nothing
       returning id)
     select pg_notify('${INBOX_CHANNEL}', '') from (select from added limit 1) any_added`,
    [messages],
    { prepared: true },
  )
}

/** Longest that a message waits for its next try, in ms. */
const LONGEST_WAIT_MS = 120_000

/** Takes up to `limit` messages that are due, the oldest first, until the end of the transaction. Processes share: a message goes to one. */
export async function claimMessages(tx: Queryable, limit: number): Promise<OpenMessage[]> {
  const { rows } = await tx.query<OpenMessage>(
    `select id, body, received_at as "receivedAt", attempts from call_desk.inbox
     where done_at is null and run_at < 'infinity' and ${isOver('run_at', LONGEST_WAIT_MS)}
     order by run_at, received_at limit $1 for update skip locked`,
    [limit],
    { prepared: true },
  )
  return rows
}

/** Takes this one, if nobody else has it or has dealt with it. */
export async function claimMessage(tx: Queryable, id: string): Promise<OpenMessage | undefined> {
  const { rows } = await tx.query<OpenMessage>(
    `select id, body, received_at as "receivedAt", attempts from call_desk.inbox
     where id = $1 and done_at is null for update skip locked`,
    [id],
  )
  return rows[0]
}

/** The messages are dealt with. Their ids stay, so that a repetition is known. */
export async function closeMessages(db: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.query(
    `update call_desk.inbox set done_at = now(), body = null, last_error = null
     where id in (select jsonb_array_elements_text($1::jsonb))`,
    [ids],
    { prepared: true },
  )
}

/** Puts messages off, so that nobody else takes them while they are being dealt with; by at most `LONGEST_WAIT_MS`. */
export async function leaseMessages(tx: Queryable, ids: readonly string[], leaseMs: number): Promise<void> {
  if (ids.length === 0) return
  await tx.query(
    `update call_desk.inbox set run_at = now() + $2::float8 * interval '1 ms'
     where id in (select jsonb_array_elements_text($1::jsonb))`,
    [ids, leaseMs],
    { prepared: true },
  )
}

/** Notes that a message failed. It is due again after `delayMs`, at most `LONGEST_WAIT_MS`; without that never, but it stays. */
export async function postponeMessage(
  db: Queryable,
  id: string,
  reason: string,
  delayMs: number | undefined,
): Promise<void> {
  await db.query(
    `update call_desk.inbox
     set attempts = attempts + 1, last_error = $2, run_at = coalesce(now() + $3::float8 * interval '1 ms', 'infinity')
     where id = $1 and done_at is null`,
    [id, reason, delayMs],
  )
}
