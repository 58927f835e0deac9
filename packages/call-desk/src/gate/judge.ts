import { FLOOD_REFUSALS, type GateFacts, NETWORK_FLOOD_REFUSALS } from './gate-facts.js'
import type { GateSettings } from './gate-settings.js'
import { LIMIT_KINDS } from './limit-kinds.js'
import { isBeyondShare } from './network-share.js'
import { mayRing } from './quiet-hours.js'
import type { BusyRefusal, Refusal } from './refusal.js'

/** What is known about a request without the database. */
export interface Findings {
  /** A human check is required, and the token is not valid. */
  checkFailed: boolean
  /** The refusal if the number has a call in flight; undefined if it has none. */
  busy: BusyRefusal | undefined
  /** What the rules for numbers say. */
  numberRefusal: Refusal | undefined
  /** Time zones in which the number may be. */
  zones: readonly string[]
  /** The most that the call can cost; undefined if it costs nothing. */
  worstCase: number | undefined
}

/** Whether the address, or its network, has been refused so often that its further refusals are not stored. */
export function isFlood(facts: GateFacts): boolean {
  return isAddressFlood(facts) || isNetworkFlood(facts)
}

const isAddressFlood = ({ refusals }: GateFacts) => refusals >= FLOOD_REFUSALS
const isNetworkFlood = ({ networkRefusals }: GateFacts) => networkRefusals >= NETWORK_FLOOD_REFUSALS

/** Why a request does not pass, the first reason in the order of `refusals`; undefined when only the budget may still stop it. */
export function judge(facts: GateFacts, findings: Findings, settings: GateSettings): Refusal | undefined {
  if (facts.paused) return 'paused'
  const full = settings.mode === 'full'
  if (full && facts.breakerOpen) return 'breaker_open'
  if (findings.checkFailed) return 'human_check_failed'
  if (facts.doNotCall) return 'dnc'
  if (full && findings.numberRefusal) return findings.numberRefusal
  if (full && settings.hours && !mayRing(findings.zones, facts.now, settings.hours)) return 'quiet_hours'
  if (facts.unknownPending) return 'unknown_pending'
  if (full) return judgeLimits(facts, settings, findings)
  if (findings.busy) return findings.busy
  // Without this check, each attempt after the budget is spent would store a row.
  return settings.simulatedPrice !== undefined && isFlood(facts) ? 'limit_address' : undefined
}

function judgeLimits(
  facts: GateFacts,
  settings: GateSettings,
  { busy, worstCase }: Pick<Findings, 'busy' | 'worstCase'>,
): Refusal | undefined {
  // A busy request costs nothing.
  const isBeyond = !busy && isBeyondShare(facts.networkSpend, worstCase, settings)
  for (const { limits, refusal, countsRefused } of LIMIT_KINDS) {
    // A busy request never becomes a call, so only the limits of its address and network apply.
    if (busy && !countsRefused) return busy
    if (settings[limits].some(({ most }, place) => (facts.counts[limits]?.[place] ?? most) >= most))
      return refusal
    if (refusal === 'limit_slug' && isReached(facts.slugInFlight, settings.slugConcurrent)) return refusal
    if (refusal === 'limit_address' && (facts.manyNumbers || isAddressFlood(facts))) return refusal
    if (refusal === 'limit_network' && (isBeyond || isNetworkFlood(facts))) return refusal
  }
  return isReached(facts.inFlight, settings.concurrent) ? 'limit_concurrent' : undefined
}

function isReached(count: number, most: number | undefined): boolean {
  return most !== undefined && count >= most
}
