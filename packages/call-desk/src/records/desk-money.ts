import type { Queryable } from '@heyline/database'

/** What calls of one kind cost, and what is set aside for those whose cost is not known yet: millionths of a US dollar. */
export interface SpendOfAKind {
  kind: 'phone' | 'web'
  daySpent: number
  dayReserved: number
  monthSpent: number
  monthReserved: number
}

/** The money of the last 24 hours, and of the last 31 days. A kind without calls in that time is left out. */
export async function readMoney(db: Queryable): Promise<SpendOfAKind[]> {
  const { rows } = await db.query<SpendOfAKind>(
    // For each kind by itself, so that an index of kind and time answers.
    `select kinds.kind, sums.* from (values ('phone'), ('web')) kinds (kind), lateral (
       select coalesce(sum(spent) filter (where recent), 0)::float8 as "daySpent",
         coalesce(sum(reserved) filter (where recent and spent is null), 0)::float8 as "dayReserved",
         coalesce(sum(spent), 0)::float8 as "monthSpent",
         coalesce(sum(reserved) filter (where spent is null), 0)::float8 as "monthReserved"
       from (select spent, reserved, at > now() - interval '24 hours' as recent
         from call_desk.ledger l where l.kind = kinds.kind and at > now() - interval '31 days') entries
       having count(*) > 0) sums`,
  )
  return rows
}
