import type { GateSettings, Limit } from '../gate/gate-settings.js'
import type { WebGateSettings } from '../web-calls/web-gate-settings.js'

/** How long things are kept, in days. */
export interface RetentionDays {
  /** Transcripts and summaries. */
  transcripts: number
  /** Clients' addresses and networks. */
  addresses: number
  /** Requests that the gate refused. */
  refused: number
  /** All other requests, and their money. */
  records: number
  /** What operators and the desk did to the guards. */
  audit: number
}

export const DEFAULT_RETENTION: RetentionDays = {
  transcripts: 90,
  addresses: 30,
  refused: 30,
  records: 365,
  audit: 365,
}

const DAY_MS = 86_400_000

/** The ledger's budgets look back 31 days, and the first of them must be whole. */
const LEDGER_DAYS = 32

const longest = (...lists: (readonly Limit[])[]): number =>
  Math.max(0, ...lists.flat().map(({ windowMs }) => windowMs / DAY_MS))

/**
 * The days that hold with these limits: nothing goes while one of them may still count it. A lifetime limit of a visitor has a count of
 * its own; any other one keeps what it counts for ever (infinity).
 */
export function keptDays(days: RetentionDays, gate: GateSettings, web: WebGateSettings): RetentionDays {
  const finite = ({ windowMs }: Limit) => Number.isFinite(windowMs)
  const ofAddresses = longest(
    gate.addressLimits,
    gate.networkLimits,
    web.addressLimits,
    web.networkLimits,
    // Of these one network has a share.
    web.slugLimits.filter(finite),
    gate.addressNumbers
      ? [{ ...gate.addressNumbers, windowMs: gate.addressNumbers.windowMs + gate.addressNumbers.blockMs }]
      : [],
  )
  const ofSlugs = [...gate.slugLimits, ...web.slugLimits].filter(finite)
  const ofCalls = Math.max(
    ofAddresses,
    longest(
      gate.numberLimits,
      gate.prefixLimits,
      ofSlugs,
      gate.countryLimits,
      gate.startLimits,
      web.startLimits,
    ),
    LEDGER_DAYS,
  )
  return {
    ...days,
    addresses: Math.max(days.addresses, ofAddresses),
    refused: Math.max(days.refused, ofAddresses),
    records: Math.max(days.records, ofCalls),
  }
}
