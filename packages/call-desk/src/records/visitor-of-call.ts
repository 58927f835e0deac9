import type { Queryable } from '@heyline/database'

/** The visitor whose call this is, by the platform's id of the call: the slug as stored. Undefined where it is nobody's, or no call of ours. */
export async function visitorOfCall(db: Queryable, platformCallId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ slug: string }>(
    "select slug from call_desk.call_requests where platform_call_id = $1 and slug <> ''",
    [platformCallId],
    { prepared: true },
  )
  return rows[0]?.slug
}
