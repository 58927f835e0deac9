import { FLOOD_REFUSALS, type GateFacts, NETWORK_FLOOD_REFUSALS } from './gate-facts.js'
import type { GateSettings } from './gate-settings.js'
import { LIMIT_KINDS } from './limit-kinds.js'
import { mayRing } from './quiet-hours.js'
import type { Refusal } from './refusal.js'

/** What is known of a request without the database. */
export interface Findings {
  /** A human check was asked for, and is not good. */
  checkFailed: boolean
  /** What the rules for numbers say. */
  numberRefusal: Refusal | undefined
  /** Time zones in which the number may be. */
  zones: readonly string[]
}

/** Whether the address, or its network, has been refused so often that nothing more is stored of its refusals. */
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
  if (full) return judgeLimits(facts, settings)
  // Beyond these, a spent budget would still store a row for each attempt.
  return settings.simulatedPrice !== undefined && isFlood(facts) ? 'limit_address' : undefined
}

function judgeLimits(facts: GateFacts, settings: GateSettings): Refusal | undefined {
  for (const { limits, refusal } of LIMIT_KINDS) {
    if (settings[limits].some(({ most }, place) => (facts.counts[limits]?.[place] ?? most) >= most))
      return refusal
    if (refusal === 'limit_slug' && isReached(facts.slugInFlight, settings.slugConcurrent)) return refusal
    if (refusal === 'limit_address' && (facts.manyNumbers || isAddressFlood(facts))) return refusal
    if (refusal === 'limit_network' && isNetworkFlood(facts)) return refusal
  }
  return isReached(facts.inFlight, settings.concurrent) ? 'limit_concurrent' : undefined
}

function isReached(count: number, most: number | undefined): boolean {
  return most !== undefined && count >= most
}
