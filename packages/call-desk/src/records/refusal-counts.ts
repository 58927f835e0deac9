import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import { incomingRefusalText, refusalText } from '../gate/refusal-text.js'
import { countIncomingRefusals } from '../incoming/incoming-refusals.js'

export const refusalCount = z.object({
  /** By phone, in the browser, and calls to our numbers: of the latter none is stored, but how many there were. */
  kind: z.enum(['phone', 'web', 'in']),
  refusal: z.string(),
  /** In plain words. */
  reason: z.string(),
  /** Of the last 24 hours, and of the last 31 days as far as refused requests are kept. */
  day: z.number(),
  month: z.number(),
})
export type RefusalCount = z.output<typeof refusalCount>

/** How often the gate refused for what, the most frequent first. */
export async function countRefusals(db: Queryable): Promise<RefusalCount[]> {
  const { rows } = await db.query<Omit<RefusalCount, 'reason'>>(
    `select c.kind, c.refusal, count(*)::int as month,
       (count(*) filter (where c.created_at > now() - interval '24 hours'))::int as day
     from call_desk.call_requests c
     where c.refusal is not null and c.created_at > now() - interval '31 days'
     group by 1, 2 order by 3 desc, 2, 1`,
  )
  const incoming = await countIncomingRefusals(db)
  return [
    ...rows.map((row) => ({ ...row, reason: refusalText(row.refusal) ?? row.refusal })),
    ...incoming.map((row) => ({ ...row, kind: 'in' as const, reason: incomingRefusalText(row.refusal) })),
  ].toSorted((one, other) => other.month - one.month)
}
