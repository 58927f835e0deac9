import {
  type Db,
  inParts,
  MOST_IN_PART,
  type Queryable,
  readByIndex,
  rememberErased,
} from '@heyline/database'
import { ERASING } from '../opens/erasing-lock.js'

/** Whose events are meant: those of calls, by the ids of their records, and those of a visitor by the slugs, whose case does not count. */
export interface EventsOfPerson {
  callIds: readonly string[]
  /** None: they are about no visitor. */
  slugs: readonly string[]
}

/** Rows of one table, as they are stored. */
export interface TimelineRows {
  table: string
  rows: unknown[]
}

/** Of `timeline.events e`, with the ids as $1 and the slugs as $2. */
const THEIRS = `(e.call_id in (select jsonb_array_elements_text($1::jsonb)::uuid)
  or lower(e.slug) in (select lower(given.slug) from jsonb_array_elements_text($2::jsonb) given (slug)))`

const parametersOf = ({ callIds, slugs }: EventsOfPerson): unknown[] => [callIds, slugs]

/** In SQL: whether a text is one of the slugs, which are $1. */
const isOneOf = (text: string): string =>
  `lower(${text}) in (select lower(given.slug) from jsonb_array_elements_text($1::jsonb) given (slug))`

/** How many events one part is about. */
const PART_SIZE = 1000

/** What each table has of one event, as a JSON array. */
const TABLES = {
  'timeline.events': 'jsonb_build_array(to_jsonb(e))',
  'timeline.deliveries': `(select coalesce(jsonb_agg(to_jsonb(d) - 'claim'), '[]') from timeline.deliveries d where d.event_seq = e.seq)`,
}

/** Everything that the timeline has stored of a person, table by table, in parts. A table without rows has one empty part. */
export async function* timelineRowsOf(db: Queryable, person: EventsOfPerson): AsyncGenerator<TimelineRows> {
  for (const [table, rowsOf] of Object.entries(TABLES)) {
    let after: number | undefined = 0
    while (after !== undefined) {
      const { rows }: { rows: { seq: number; rows: unknown[] }[] } = await db.query(
        `select e.seq, ${rowsOf} as rows from timeline.events e where ${THEIRS} and e.seq > $3::bigint
         order by e.seq limit ${PART_SIZE}`,
        [...parametersOf(person), after],
      )
      yield { table, rows: rows.flatMap((event) => event.rows) }
      after = rows.length === PART_SIZE ? rows.at(-1)?.seq : undefined
    }
  }
  if (person.slugs.length === 0) return
  const { rows } = await db.query<{ row: unknown }>(
    `select to_jsonb(v) as row from timeline.visitors v where ${isOneOf('v.slug')}`,
    [person.slugs],
  )
  yield { table: 'timeline.visitors', rows: rows.map(({ row }) => row) }
}

/** Removes the events of these calls, by the ids of their records, and what is to be told of them. */
export async function eraseCallEvents(tx: Queryable, callIds: readonly string[]): Promise<void> {
  await tx.query(
    'delete from timeline.events where call_id in (select jsonb_array_elements_text($1::jsonb)::uuid)',
    [callIds],
  )
}

/**
 * Removes a visitor's opens and refused calls, of which strangers may have made hundreds of thousands, in parts: nobody is to wait for those.
 * Some may come meanwhile: `eraseFromTimeline` removes them after this.
 */
export async function eraseManyEvents(db: Db, slugs: readonly string[]): Promise<void> {
  for (const slug of slugs) await inParts(() => db.transaction((tx) => eraseSomeEvents(tx, slug)))
}

async function eraseSomeEvents(tx: Queryable, slug: string): Promise<number> {
  await readByIndex(tx)
  const { rows } = await tx.query<{ seq: number }>(
    `select e.seq from timeline.events e
     where lower(e.slug) = lower($1) and e.type in ('page.opened', 'call.refused')
     order by e.seq limit ${MOST_IN_PART} for update skip locked`,
    [slug],
  )
  await tx.query(
    'delete from timeline.events where seq in (select jsonb_array_elements_text($1::jsonb)::bigint)',
    [rows.map(({ seq }) => seq)],
  )
  return rows.length
}

/**
 * Removes a person's events and what is to be told of them. What is counted of a visitor goes with the visitor; it holds nothing of a
 * number. No open is stored any more by who had looked the visitor up before. To be asked in a transaction, after the visitor's own row is gone: that writes an event, too.
 */
export async function eraseFromTimeline(tx: Queryable, person: EventsOfPerson): Promise<void> {
  if (person.slugs.length > 0) {
    await tx.query(`select ${ERASING}`)
    await rememberErased(tx, 'slug', person.slugs)
  }
  await eraseCallEvents(tx, person.callIds)
  if (person.slugs.length === 0) return
  await tx.query(`delete from timeline.events e where ${isOneOf('e.slug')}`, [person.slugs])
  await tx.query(`delete from timeline.visitors v where ${isOneOf('v.slug')}`, [person.slugs])
  // Another visitor who had such a slug before keeps the rest of the event.
  await tx.query(
    `update timeline.events set payload = payload - 'formerSlug'
     where type = 'visitor.changed' and ${isOneOf("payload ->> 'formerSlug'")}`,
    [person.slugs],
  )
}
