import type { Queryable } from '@heyline/database'

/** Whose events are meant: those of calls, by the ids of their records, and those of a visitor by the slug, whose case does not count. */
export interface EventsOfPerson {
  callIds: readonly string[]
  slug?: string | undefined
}

/** Rows of one table, as they are stored. */
export interface TimelineRows {
  table: string
  rows: unknown[]
}

/** Of `timeline.events e`, with the ids as $1 and the slug, or null, as $2. */
const THEIRS = `(e.call_id in (select jsonb_array_elements_text($1::jsonb)::uuid) or lower(e.slug) = lower($2::text))`

const parametersOf = ({ callIds, slug }: EventsOfPerson): unknown[] => [callIds, slug]

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
  if (person.slug === undefined) return
  const { rows } = await db.query<{ row: unknown }>(
    'select to_jsonb(v) as row from timeline.visitors v where lower(v.slug) = lower($1)',
    [person.slug],
  )
  yield { table: 'timeline.visitors', rows: rows.map(({ row }) => row) }
}

/**
 * Removes a person's events and what is to be told of them. What is counted of a visitor goes with the visitor; it holds nothing of a
 * number. To be asked in a transaction, after the visitor's own row is gone: that writes an event, too.
 */
export async function eraseFromTimeline(tx: Queryable, person: EventsOfPerson): Promise<void> {
  await tx.query(`delete from timeline.events e where ${THEIRS}`, parametersOf(person))
  if (person.slug === undefined) return
  await tx.query('delete from timeline.visitors where lower(slug) = lower($1)', [person.slug])
  // Another visitor who had this slug before keeps the rest of the event.
  await tx.query(
    `update timeline.events set payload = payload - 'formerSlug'
     where type = 'visitor.changed' and lower(payload ->> 'formerSlug') = lower($1)`,
    [person.slug],
  )
}
