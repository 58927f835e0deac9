import { type Db, inParts, MOST_IN_PART, type Queryable, readByIndex } from '@heyline/database'
import { type Person, slugsOf } from './person.js'

/** Refused requests that the platform never heard of, in SQL: those of a slug, or of a number, which is $1. An index has each, and the order. */
const OF_SLUG = `lower(slug) = lower($1) and state = 'refused' and platform_call_id is null order by created_at, id`
const OF_NUMBER = `phone = $1 and state = 'refused' and platform_call_id is null`

/** Removes what others have stored of these requests, in the transaction that removes the requests. */
type ForgetCalls = (tx: Queryable, ids: string[]) => Promise<void>

/**
 * Removes a person's refused requests in parts, each in a short transaction of its own: strangers may have left hundreds of thousands, and
 * nobody is to wait for those. It takes no lock of the gate's, so some may come meanwhile: `eraseFromDesk` removes them after this.
 * Resolves with how many it removed; broken off, it goes on when asked again.
 */
export async function eraseRefused(db: Db, person: Person, forget: ForgetCalls): Promise<number> {
  const [which, values] = 'number' in person ? [OF_NUMBER, [person.number]] : [OF_SLUG, slugsOf(person)]
  let removed = 0
  for (const value of values)
    removed += await inParts(() => db.transaction((tx) => removePart(tx, which, value, forget)))
  return removed
}

async function removePart(tx: Queryable, which: string, value: string, forget: ForgetCalls): Promise<number> {
  await readByIndex(tx)
  const { rows } = await tx.query<{ id: string }>(
    `select id from call_desk.call_requests where ${which} limit ${MOST_IN_PART} for update skip locked`,
    [value],
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await forget(tx, ids)
  const mine = 'select jsonb_array_elements_text($1::jsonb)::uuid'
  await tx.query(`update call_desk.do_not_call set request_id = null where request_id in (${mine})`, [ids])
  await tx.query(`delete from call_desk.call_requests where id in (${mine})`, [ids])
  return ids.length
}
