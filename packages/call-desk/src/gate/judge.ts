import { type GateFacts, STORED_REFUSALS } from './gate-facts.js'
import type { GateSettings } from './gate-settings.js'
import { LIMIT_KINDS, SHARED_LIMITS } from './limit-kinds.js'
import { isBeyondCalls, isBeyondPlaces, isBeyondShare } from './network-share.js'
import { mayRing } from './quiet-hours.js'
import { type BusyRefusal, isHeldAgainstAsker, type Refusal } from './refusal.js'

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

/** Whether so many refusals are stored that this one is not. */
export function isFlood(facts: GateFacts, refusal: Refusal): boolean {
  if (isHeldAgainstAsker(refusal)) return isAddressFlood(facts) || isNetworkFlood(facts)
  return (
    facts.refusals >= STORED_REFUSALS.address ||
    facts.networkRefusals >= STORED_REFUSALS.network ||
    (refusal === 'human_check_failed' && facts.failedChecks >= STORED_REFUSALS.failedChecks)
  )
}

// Made-up tokens and mistyped numbers cost nothing: they close no address and no network.
const isAddressFlood = ({ heldRefusals }: GateFacts) => heldRefusals >= STORED_REFUSALS.address
const isNetworkFlood = ({ networkHeldRefusals }: GateFacts) => networkHeldRefusals >= STORED_REFUSALS.network

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
  return findings.busy
}

function judgeLimits(
  facts: GateFacts,
  settings: GateSettings,
  { busy, worstCase }: Pick<Findings, 'busy' | 'worstCase'>,
): Refusal | undefined {
  // A busy request costs nothing.
  const isBeyond =
    !busy && (isBeyondShare(facts.networkSpend, worstCase, settings) || isBeyondNetwork(facts, settings))
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

/** Whether one network has what it may have of the places, of the calls to a country, or of all calls. */
function isBeyondNetwork(
  { counts, networkCounts, inFlight, networkInFlight }: GateFacts,
  settings: GateSettings,
): boolean {
  const { concurrent, addressLimits } = settings
  const ofOneAddress = Math.min(...addressLimits.map(({ most }) => most))
  return (
    (concurrent !== undefined &&
      isBeyondPlaces({ most: concurrent, used: inFlight, own: networkInFlight })) ||
    SHARED_LIMITS.some((limits) =>
      settings[limits].some(({ most }, place) => {
        const own = networkCounts[limits]?.[place] ?? 0
        return isBeyondCalls({ most, used: counts[limits]?.[place] ?? most, own }, ofOneAddress)
      }),
    )
  )
}

function isReached(count: number, most: number | undefined): boolean {
  return most !== undefined && count >= most
}
