import type { Queryable } from '@heyline/database'

/** Ends one campaign, or all of them: nobody who waits is asked for any more. Resolves with how many campaigns that were. */
export async function endCampaigns(db: Queryable, id?: string): Promise<number> {
  const { rows } = await db.query<{ ended: number }>(
    `with ended as (
       update call_desk.campaigns set ended_reason = 'campaign.' || state || '.ended-by-user', state = 'ended', updated_at = now()
       where state <> 'ended' and ($1::uuid is null or id = $1::uuid) returning id),
     closed as (
       update call_desk.campaign_customers cc set closed_at = now(), refusal = 'ended' from ended
       where cc.campaign_id = ended.id and cc.request_id is null and cc.closed_at is null)
     select count(*)::int as ended from ended`,
    [id],
  )
  return rows[0]?.ended ?? 0
}
