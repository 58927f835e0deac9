import type { Queryable } from '../db/db.js'

/** As if the clock had leapt by so many days since old rows were last looked for. */
export async function leapDate(db: Queryable, days: number): Promise<void> {
  await db.query(
    `insert into back_office.date_checks as last (seen_at) values (now() - $1::float8 * interval '1 day')
     on conflict (is_only) do update set seen_at = excluded.seen_at,
       doubted_since = last.doubted_since - $1::float8 * interval '1 day'`,
    [days],
  )
}
