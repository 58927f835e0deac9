import type { Queryable } from '@heyline/database'
import { z } from 'zod'

/** Who put a number on the list. */
const source = z.enum(['command', 'import', 'caller'])
export type DoNotCallSource = z.output<typeof source>

/** Numbers (E.164) that are never called, and when (ISO 8601) they were put on the list. */
export const doNotCallPage = z.object({
  numbers: z.array(z.object({ phone: z.string(), source, addedAt: z.string() })),
  /** The number to ask from for the next page; null at the end. */
  next: z.string().nullable(),
})
export type DoNotCallPage = z.output<typeof doNotCallPage>

/** Longest page of the list. */
export const DO_NOT_CALL_LIMIT = 1000

/** Puts numbers (E.164) on the list; resolves with how many are new. A number that is on it already keeps its source and time. */
export async function addNumbers(
  db: Queryable,
  phones: readonly string[],
  source: DoNotCallSource,
  requestId?: string,
): Promise<number> {
  const { rowCount } = await db.query(
    `insert into call_desk.do_not_call (phone, source, request_id)
     select distinct phone, $2, $3::uuid from jsonb_array_elements_text($1::jsonb) phone
     on conflict (phone) do nothing`,
    [phones, source, requestId],
  )
  return rowCount
}

/** Takes a number (E.164) off the list; resolves with whether it was on it. */
export async function removeNumber(db: Queryable, phone: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from call_desk.do_not_call where phone = $1', [phone])
  return rowCount > 0
}

/** How many of these numbers (E.164, each once) are on the list. */
export async function countListed(db: Queryable, phones: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from call_desk.do_not_call d
     join jsonb_array_elements_text($1::jsonb) asked(phone) on asked.phone = d.phone`,
    [phones],
  )
  return rows[0]?.count ?? 0
}

/** The list by number, page by page; `limit` is at most `doNotCallLimit`. */
export async function listNumbers(
  db: Queryable,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<DoNotCallPage> {
  const most = Math.min(limit, DO_NOT_CALL_LIMIT)
  const { rows } = await db.query<{ phone: string; source: DoNotCallSource; added_at: Date }>(
    `select phone, source, added_at from call_desk.do_not_call
     where phone > coalesce($1, '') collate "C" order by phone collate "C" limit $2`,
    [after, most + 1],
  )
  const numbers = rows
    .slice(0, most)
    .map(({ phone, source, added_at }) => ({ phone, source, addedAt: added_at.toISOString() }))
  return { numbers, next: rows.length > most ? (numbers.at(-1)?.phone ?? null) : null }
}
