import type { Queryable } from '@heyline/database'

let count = 0

/** A request of its own number in a state that it came to just now; resolves with its id. */
export async function requestIn(
  db: Queryable,
  state: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    'insert into call_desk.call_requests (phone, slug, body_hash) values ($1, $2, $3) returning id',
    [`+1415555${String(++count).padStart(4, '0')}`, 'acme', ''],
  )
  const id = rows[0]?.id ?? ''
  if (state !== 'queued') await moveTo(db, id, state, fields)
  return id
}

/** Moves a request to a state, now. */
export async function moveTo(
  db: Queryable,
  id: string,
  state: string,
  fields: Record<string, string> = {},
): Promise<void> {
  const set = { [`${state.replace('-', '_')}_at`]: 'now', ...fields }
  const columns = Object.keys(set).map((column, place) => `${column} = $${place + 3}`)
  await db.query(`update call_desk.call_requests set state = $2, ${columns.join(', ')} where id = $1`, [
    id,
    state,
    ...Object.values(set),
  ])
}
