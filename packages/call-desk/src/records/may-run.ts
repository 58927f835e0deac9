import { isInFlight } from '../call/call-state.js'

/** A request `r` that may still become a call, in SQL; after an hour nobody waits for one any more. */
export const MAY_RUN = `(${isInFlight('r')}
  or r.recorded_at is null and r.state in ('unknown', 'failed') and r.sent_at > now() - interval '1 hour')`
