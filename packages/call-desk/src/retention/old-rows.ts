import { type Db, inParts, MOST_IN_PART, type Queryable } from '@heyline/database'
import { UNCONFIRMED } from '../call/unconfirmed.js'
import { admittedSlug, countsForAll, SLUG_TOTALS_LOCK } from '../gate/slug-totals.js'

const TABLE = 'call_desk.call_requests'

/** As the index has it. */
const UNCONFIRMED_CALLS = `inbound and state = 'ended' and in_progress_at is null and ended_reason = '${UNCONFIRMED}'`

/** Rows that are older than so many days by this column, the oldest first. Another process takes others. */
const old = (table: string, key: string, time: string, condition = 'true'): string => `
  select ${key} from ${table} where ${condition} and ${time} < now() - $1::float8 * interval '1 day'
  order by ${time} limit ${MOST_IN_PART} for update skip locked`

/** Takes what is older than so many days until there is no more, or `signal` is aborted; resolves with how many rows that were. */
async function takeOld(
  days: number,
  take: () => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<number> {
  // What is kept for ever needs no look, and the database knows no such span.
  return Number.isFinite(days) ? await inParts(take, signal) : 0
}

const all = (db: Db, sql: string, days: number, signal: AbortSignal | undefined): Promise<number> =>
  takeOld(days, async () => (await db.query(sql, [days])).rowCount, signal)

/** Removes transcripts and summaries of calls that were asked for more than so many days ago. Resolves with how many calls had any. */
export const forgetTranscripts = (db: Db, days: number, signal?: AbortSignal): Promise<number> =>
  all(
    db,
    `update ${TABLE} set transcript = null, summary = null
     where id in (${old(TABLE, 'id', 'created_at', '(transcript is not null or summary is not null)')})`,
    days,
    signal,
  )

/** Removes the addresses of clients. */
export const forgetAddresses = (db: Db, days: number, signal?: AbortSignal): Promise<number> =>
  all(
    db,
    `update ${TABLE} set address = null, network = null
     where id in (${old(TABLE, 'id', 'created_at', '(address is not null or network is not null)')})`,
    days,
    signal,
  )

export const forgetRefused = (db: Db, days: number, signal?: AbortSignal): Promise<number> =>
  all(
    db,
    `delete from ${TABLE} where id in (${old(TABLE, 'id', 'created_at', "state = 'refused'")})`,
    days,
    signal,
  )

/** Removes calls to us that nobody has confirmed, with their money, which is none: anybody makes them up, 86,400 a day. */
export const forgetUnconfirmed = (db: Db, days: number, signal?: AbortSignal): Promise<number> =>
  all(
    db,
    `with gone as (delete from ${TABLE} where id in (${old(TABLE, 'id', 'created_at', UNCONFIRMED_CALLS)}) returning id),
       money as (delete from call_desk.ledger where request_id in (select id from gone))
     select from gone`,
    days,
    signal,
  )

/** Removes requests that are over, with their money. Lifetime limits go on counting them. */
export async function forgetRecords(db: Db, days: number, signal?: AbortSignal): Promise<number> {
  const over = "state in ('ended', 'failed', 'unknown') and hang_up_at is null"
  const part = (tx: Queryable) => removeCounted(tx, `id in (${old(TABLE, 'id', 'created_at', over)})`, [days])
  const count = await takeOld(days, () => db.transaction(part), signal)
  await all(
    db,
    `delete from call_desk.ledger where request_id in (${old('call_desk.ledger', 'request_id', 'at')})`,
    days,
    signal,
  )
  return count
}

/** Removes campaigns that have ended, with their customers. */
export const forgetCampaigns = (db: Db, days: number, signal?: AbortSignal): Promise<number> =>
  all(
    db,
    `delete from call_desk.campaigns where id in (${old('call_desk.campaigns', 'id', 'updated_at', "state = 'ended'")})`,
    days,
    signal,
  )

/**
 * Removes requests, and adds those that were let pass to their visitors' totals, but none that came in. In a transaction: a reset waits for
 * it, or it for the reset.
 */
export async function removeCounted(tx: Queryable, where: string, parameters: unknown[]): Promise<number> {
  await tx.query(`select ${SLUG_TOTALS_LOCK}`)
  const { rows } = await tx.query<{ count: number }>(
    `with gone as (delete from ${TABLE} where ${where}
       returning ${admittedSlug(TABLE)} as slug, kind, inbound, state, outcome, in_progress_at, created_at),
     counted as (
       insert into call_desk.slug_totals as t (slug, kind, calls)
       select gone.slug, gone.kind, count(*)::int from gone left join call_desk.slug_resets z on z.slug = gone.slug
       where gone.state <> 'refused' and not gone.inbound and ${countsForAll('gone')} and gone.created_at > coalesce(z.at, '-infinity')
       group by gone.slug, gone.kind
       on conflict (slug, kind) do update set calls = t.calls + excluded.calls)
     select count(*)::int as count from gone`,
    parameters,
  )
  return rows[0]?.count ?? 0
}

export const forgetAudit = (db: Db, days: number, signal?: AbortSignal): Promise<number> =>
  all(db, `delete from call_desk.audit where id in (${old('call_desk.audit', 'id', 'at')})`, days, signal)

/** How long the id of a message is known, and a message that was given up, in days. */
const INBOX_DAYS = 7
const GIVEN_UP_DAYS = 30
/** What else is kept for so many days: by which column a row is known, and which one says its age. */
const KEPT = [
  // No check is good for longer.
  { table: 'call_desk.used_checks', key: 'id', time: 'used_at', days: 1 },
  // No request waits so long.
  { table: 'call_desk.erasures', key: 'id', time: 'erased_at', days: 1 },
  // As long as a message's id is known: a hosted platform's list is looked through a day back, and its reports come again for hours.
  { table: 'call_desk.forgotten_calls', key: 'id', time: 'forgotten_at', days: INBOX_DAYS },
  // As far back as refusals are told.
  { table: 'call_desk.incoming_refusals', key: 'hour', time: 'hour', days: 32 },
] as const

/**
 * Removes what was kept for long enough without a setting: the ids of messages, by which a repetition is known (7 days), messages that
 * were given up (30 days), used checks (1 day), what tells that calls (7 days) or people (1 day) were erased, and counts of refused calls to us (32
 * days). Resolves with how many rows those were.
 */
export async function cleanUp(db: Db, signal?: AbortSignal): Promise<number> {
  const inbox = (time: string, condition: string) =>
    `delete from call_desk.inbox where id in (${old('call_desk.inbox', 'id', time, condition)})`
  const done = await all(db, inbox('done_at', 'done_at is not null'), INBOX_DAYS, signal)
  const givenUp = await all(
    db,
    inbox('received_at', "done_at is null and run_at = 'infinity'"),
    GIVEN_UP_DAYS,
    signal,
  )
  let others = 0
  for (const { table, key, time, days } of KEPT)
    others += await all(db, `delete from ${table} where ${key} in (${old(table, key, time)})`, days, signal)
  return done + givenUp + others
}

/** Lets new rows take the place of removed ones. A Postgres does that by itself; PGlite has nobody who would. */
export async function reuseSpace(db: Db, signal?: AbortSignal): Promise<void> {
  if (db.kind !== 'pglite') return
  for (const table of [
    TABLE,
    'call_desk.ledger',
    'call_desk.inbox',
    'call_desk.audit',
    ...KEPT.map(({ table }) => table),
    'call_desk.campaigns',
    'call_desk.campaign_customers',
  ])
    if (!signal?.aborted) await db.query(`vacuum ${table}`)
}
