import { DESK_TEXTS, NEWS_DAYS, numberParts, oldestUntold, type PersonRows } from '@heyline/call-desk'
import {
  DatabaseError,
  type Db,
  type HidingCursor,
  hasCome,
  hideInRows,
  isOver,
  type Queryable,
} from '@heyline/database'
import { type WrittenNumber, writtenNumber } from '@heyline/kit/written-number'
import { CALL_TEXTS, CHAT_TEXTS, oldestOpenCall, RESOURCE_TEXTS } from '@heyline/voice-platform'
import { type Actor, writeAudit } from '../audit/audit.js'

/** In this order: the desk's texts are made of the platform's. */
const PLACES = [CALL_TEXTS, RESOURCE_TEXTS, CHAT_TEXTS, ...DESK_TEXTS]

/** How many rows are looked through in a statement. What takes too long is looked through in smaller parts, at last row by row. */
const SIZES = [100, 10]
const TOO_LONG = '57014'

/** How long nobody else goes on, after each part. */
const LEASE = '2 minutes'
const IS_FREE = isOver('lease_until', `interval '${LEASE}'`)

/**
 * How long after the erasing a number is looked for once more. What was asked for before may be written after the first look. A chat has two
 * minutes; the analysis of a call and a test run may wait in line for up to two hours. A hosted platform sends a report again for 3 h 46 min at
 * most: ten times, the first after 10 s, each after twice as long (`backoffPlan`), and waits up to 300 s for each answer.
 */
const LATER = '4 hours'

/** How it stands with a number. */
interface Hiding {
  number: string
  begun_at: Date
  place: string | null
  after: HidingCursor | null
  from_at: Date | null
  again_from: Date | null
}

const HIDING = 'number, begun_at, place, after, from_at, again_from'

/**
 * Notes, in the transaction that erases somebody, that the number (E.164) is to be taken out of what other people's calls tell: now, and
 * once more later. Where it was begun before and broken off, it goes on there, and looks through what has come since.
 */
export async function beginHiding(tx: Queryable, number: string): Promise<void> {
  const { rows } = await tx.query<{ now: Date }>('select clock_timestamp() as now')
  const now = rows[0]?.now ?? new Date()
  await tx.query(
    `insert into back_office.hidings as h (number, begun_at, again_from)
       values ($1, $2::timestamptz, least($3::timestamptz, $2::timestamptz - interval '${NEWS_DAYS} days'))
     on conflict (number) do update set begun_at = excluded.begun_at, is_waiting = false,
       place = case when h.is_waiting then null else h.place end, after = case when h.is_waiting then null else h.after end,
       from_at = case when h.is_waiting then least(h.again_from, h.begun_at) else h.from_at end,
       again_from = case when h.is_waiting then excluded.again_from else least(h.again_from, h.begun_at, excluded.again_from) end`,
    [number, now, await oldestRunning(tx, now)],
  )
}

/** Of calls that were asked for before `until`. */
async function oldestRunning(db: Queryable, until: Date): Promise<Date | undefined> {
  const found = [await oldestOpenCall(db, until), await oldestUntold(db, until)]
  return found.reduce((a, b) => (a && b ? (a < b ? a : b) : (a ?? b)))
}

/**
 * Goes on with a number. Resolves with `waiting` where it is to be looked for once more: `continueHidings` does so later. Where it rejects, it
 * can be asked again.
 */
export async function hideNumber(db: Db, number: string, actor: Actor): Promise<'done' | 'waiting'> {
  const written = writtenNumber(numberParts(number))
  for (;;) {
    const { rows } = await db.query<Hiding>(
      `update back_office.hidings set lease_until = now() + interval '${LEASE}' where number = $1 returning ${HIDING}`,
      [number],
    )
    const [hiding] = rows
    // Another process has done it.
    if (!hiding) return 'done'
    await hideEverywhere(db, hiding, written)
    // Where somebody erases the number once more meanwhile, neither finds the row as it was.
    if (hiding.again_from === null) {
      if (await finish(db, hiding, actor)) return 'done'
    } else if (await wait(db, hiding)) return 'waiting'
  }
}

async function hideEverywhere(db: Db, { number, place, after, from_at }: Hiding, written: WrittenNumber) {
  const first = Math.max(
    0,
    PLACES.findIndex(({ table }) => table === place),
  )
  for (const [index, at] of PLACES.slice(first).entries()) {
    let next: HidingCursor | undefined = index === 0 ? (after ?? undefined) : undefined
    do {
      const part = await inTime((size) =>
        hideInRows(db, at, written, { after: next, size, from: from_at ?? undefined }),
      )
      next = part.after
      await db.query(
        `update back_office.hidings set place = $2, after = $3, hidden = hidden + $4, lease_until = now() + interval '${LEASE}' where number = $1`,
        [number, at.table, next ?? null, part.hidden],
      )
    } while (next)
  }
}

/** With so few rows that the database finds the time. */
async function inTime<T>(look: (size: number) => Promise<T>): Promise<T> {
  for (const size of SIZES) {
    try {
      return await look(size)
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === TOO_LONG)) throw error
    }
  }
  return await look(1)
}

/** Has all looked through once more that may have been written meanwhile. */
const lookAgain = (db: Db, number: string) =>
  db.query(
    `update back_office.hidings set from_at = again_from, again_from = null, place = null, after = null, is_waiting = false where number = $1`,
    [number],
  )

async function wait(db: Db, { number, begun_at: begunAt }: Hiding): Promise<boolean> {
  const { rowCount } = await db.query(
    'update back_office.hidings set is_waiting = true, lease_until = now() where number = $1 and begun_at = $2',
    [number, begunAt],
  )
  return rowCount > 0
}

const finish = (db: Db, { number, begun_at: begunAt }: Hiding, actor: Actor): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<{ hidden: number }>(
      'delete from back_office.hidings where number = $1 and begun_at = $2 returning hidden',
      [number, begunAt],
    )
    for (const { hidden } of rows) await writeAudit(tx, actor, 'number_hidden', { records: hidden })
    return rows.length > 0
  })

/** What is stored of a number that is not yet hidden everywhere. */
export async function hidingRowsOf(db: Queryable, number: string): Promise<PersonRows> {
  const { rows } = await db.query<{ row: unknown }>(
    'select to_jsonb(h) as row from back_office.hidings h where h.number = $1',
    [number],
  )
  return { table: 'back_office.hidings', rows: rows.map(({ row }) => row) }
}

/** Goes on with the numbers that nobody is at: those that were broken off, and those whose time to be looked for once more has come. */
export async function continueHidings(db: Db): Promise<void> {
  // A clock that ran ahead began them, and nobody knows when: from now on, all that may tell of the number is waited for.
  await db.query(
    `update back_office.hidings set begun_at = date_trunc('milliseconds', now()), again_from = least(again_from, now() - interval '${NEWS_DAYS} days')
     where is_waiting and not (${hasCome('begun_at')})`,
  )
  const { rows } = await db.query<Hiding & { is_waiting: boolean }>(
    `select ${HIDING}, is_waiting from back_office.hidings
     where ${IS_FREE} and (not is_waiting or begun_at <= now() - interval '${LATER}') order by begun_at`,
  )
  for (const { number, begun_at: begunAt, is_waiting: isWaiting } of rows) {
    // Its process writes its words once more when it ends.
    if (isWaiting && (await oldestRunning(db, begunAt))) continue
    const taken = await db.query(
      `update back_office.hidings set lease_until = now() + interval '${LEASE}' where number = $1 and ${IS_FREE}`,
      [number],
    )
    if (taken.rowCount === 0) continue
    if (isWaiting) await lookAgain(db, number)
    await hideNumber(db, number, { name: 'server' })
  }
}
