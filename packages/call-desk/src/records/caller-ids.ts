import type { Queryable } from '@heyline/database'

/** Which of the platform's numbers calls a visitor. Visitors without one are called from the default. */
export interface CallerIds {
  /** The platform's id of the number; null for the default. `slug` as stored. */
  of(slug: string): Promise<string | null>
  /** Null: the default again. */
  assign(slug: string, phoneNumberId: string | null): Promise<void>
  /** How many visitors each number calls, by its id. */
  counts(): Promise<ReadonlyMap<string, number>>
  /** Nobody is called from this number any more. */
  forget(phoneNumberId: string): Promise<void>
}

export function createCallerIds(db: Queryable): CallerIds {
  return {
    async of(slug) {
      const { rows } = await db.query<{ id: string }>(
        'select phone_number_id as id from call_desk.caller_ids where slug = $1',
        [slug],
      )
      return rows[0]?.id ?? null
    },
    async assign(slug, phoneNumberId) {
      if (phoneNumberId === null) await db.query('delete from call_desk.caller_ids where slug = $1', [slug])
      else
        await db.query(
          `insert into call_desk.caller_ids (slug, phone_number_id) values ($1, $2)
           on conflict (slug) do update set phone_number_id = excluded.phone_number_id, updated_at = now()`,
          [slug, phoneNumberId],
        )
    },
    async counts() {
      const { rows } = await db.query<{ id: string; count: number }>(
        'select phone_number_id as id, count(*)::int as count from call_desk.caller_ids group by 1',
      )
      return new Map(rows.map(({ id, count }) => [id, count]))
    },
    async forget(phoneNumberId) {
      await db.query('delete from call_desk.caller_ids where phone_number_id = $1', [phoneNumberId])
    },
  }
}
