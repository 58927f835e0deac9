import type { Db } from '@heyline/database'
import { LONGEST_SECONDS } from '../gate/gate-settings.js'
import { endCampaigns } from './end-campaigns.js'
import { sweepRequests } from './sweep.js'

/** A day: what was sent is the server's to close, which knows its own leases. */
const LEASE_MS = 86_400_000

/**
 * Ends the phone calls that nobody has placed yet, while no worker runs: in a record that was restored they may have been placed since, by the
 * installation that it is a copy of. So are campaigns, which would ask for them again. Their money is given back. Resolves with how many there were.
 */
export async function endQueue(db: Db): Promise<number> {
  await endCampaigns(db)
  await db.query(
    `update call_desk.call_requests set lease_until = null
     where kind = 'phone' and state in ('queued', 'dialling') and platform_call_id is null and sent_at is null
       and lease_until is not null`,
  )
  const swept = await sweepRequests(db, LEASE_MS, {
    breaker: false,
    maxSeconds: LONGEST_SECONDS,
    staleMs: 0,
  })
  return swept.filter(({ state }) => state !== 'unknown').length
}
