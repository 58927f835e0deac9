import type { LegEnd } from '../carrier.js'

/** Twilio's final call statuses (Call resource, `CallStatus`). Every other status is of a call that still lives. */
const ENDS: ReadonlyMap<string, LegEnd> = new Map([
  ['completed', 'hung-up'],
  ['busy', 'busy'],
  ['no-answer', 'no-answer'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
])

/** How a leg with this `CallStatus` ended; undefined while it lives, and for a status that is not known here. */
export const endOf = (status: string | undefined): LegEnd | undefined =>
  status === undefined ? undefined : ENDS.get(status)
