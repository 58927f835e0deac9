import type { Queryable } from '@heyline/database'
import { INBOX_OF, inboxParameters } from './desk-rows.js'
import type { Person } from './person.js'

/** Messages that tell of a person, as they were found. */
export interface ToldMessages {
  ids: string[]
  /** When the search began, by the database's clock: what has come since is to be looked at. */
  since: Date
}

/** How many messages are looked through at a time, so that nobody waits long for the database. */
const LOOK_SIZE = 100

/** Finds the messages that are not dealt with and tell of the person. It reads all of them, in parts: in no transaction, and under no lock. */
export async function findToldMessages(db: Queryable, person: Person): Promise<ToldMessages> {
  const { rows: times } = await db.query<{ since: Date }>("select now() - interval '10 seconds' as since")
  const since = times[0]?.since ?? new Date(0)
  const parameters = await inboxParameters(db, person)
  const ids: string[] = []
  for (let after: string | undefined; ; ) {
    const { rows } = await db.query<{ id: string; tells: boolean }>(
      `select part.id, coalesce(part.tells, false) as tells from (
         select i.id, (${INBOX_OF}) as tells from call_desk.inbox i
         where i.done_at is null and ($3::text is null or i.id > $3) order by i.id limit ${LOOK_SIZE}) part order by part.id`,
      [...parameters, after],
    )
    ids.push(...rows.filter(({ tells }) => tells).map(({ id }) => id))
    if (rows.length < LOOK_SIZE) return { ids, since }
    after = rows.at(-1)?.id
  }
}

/** Removes them, and those that have come since. Resolves with how many there were. */
export async function removeToldMessages(
  tx: Queryable,
  person: Person,
  { ids, since }: ToldMessages,
): Promise<number> {
  const found = await tx.query(
    'delete from call_desk.inbox where body is not null and id in (select jsonb_array_elements_text($1::jsonb))',
    [ids],
  )
  // A statement commits within seconds of the time that it bears.
  const come = await tx.query(
    `delete from call_desk.inbox i where i.done_at is null and i.received_at > $3 and ${INBOX_OF}`,
    [...(await inboxParameters(tx, person)), since],
  )
  return found.rowCount + come.rowCount
}
