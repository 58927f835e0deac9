import type { Queryable } from '@heyline/database'

/** Stores a request with these columns, as the desk would have; resolves with its id. */
export async function storeCall(db: Queryable, columns: Record<string, unknown> = {}): Promise<string> {
  const given = { phone: '+14155552671', slug: 'acme', state: 'ended', body_hash: 'x', ...columns }
  const names = Object.keys(given)
  const { rows } = await db.query<{ id: string }>(
    `insert into call_desk.call_requests (${names.join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(given),
  )
  return rows[0]?.id ?? ''
}
