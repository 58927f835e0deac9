import { isBeyondShare } from '../gate/network-share.js'
import type { Refusal } from '../gate/refusal.js'
import { SHARED_LIMITS, STORED_REFUSALS, WEB_LIMIT_KINDS, type WebFacts } from './web-facts.js'
import { type WebGateSettings, worstCase } from './web-gate-settings.js'

/** What the database knows, and how many calls the platform holds at once; undefined where it does not tell. */
export type JudgedFacts = WebFacts & { places?: number | undefined }

/** Why a browser call may not begin, the first reason in the order of `REFUSALS`; undefined when only the budget may still stop it. */
export function judgeWebCall(
  facts: JudgedFacts,
  checkFailed: boolean,
  settings: WebGateSettings,
): Refusal | undefined {
  if (facts.paused) return 'paused'
  if (checkFailed) return 'human_check_failed'
  if (settings.mode === 'simulated') return undefined
  const { addressConcurrent, concurrent } = settings
  for (const { limits, refusal } of WEB_LIMIT_KINDS) {
    if (settings[limits].some(({ most }, place) => (facts.counts[limits]?.[place] ?? most) >= most))
      return refusal
    if (refusal === 'limit_address' && isReached(facts.addressInFlight, addressConcurrent)) return refusal
    if (refusal === 'limit_network' && isBeyondNetwork(facts, settings)) return refusal
  }
  return isReached(facts.inFlight, concurrent) ? 'limit_concurrent' : undefined
}

/** Whether so many refused attempts are stored that this one is not. That decides nothing about the call. */
export function isWebFlood({ addressRefusals, networkRefusals, refusals }: WebFacts): boolean {
  return (
    addressRefusals >= STORED_REFUSALS.address ||
    networkRefusals >= STORED_REFUSALS.network ||
    refusals >= STORED_REFUSALS.all
  )
}

/** Whether one network has what it may have of the places, of the calls to a page, of all calls, or of the money. */
function isBeyondNetwork(facts: JudgedFacts, settings: WebGateSettings): boolean {
  return (
    isReached(facts.networkInFlight, networkPlaces(facts, settings)) ||
    SHARED_LIMITS.some((limits) =>
      settings[limits].some(({ most }, place) => {
        const own = facts.networkCounts[limits]?.[place] ?? 0
        const others = (facts.counts[limits]?.[place] ?? most) - own
        return own >= networkCalls(most - others, settings)
      }),
    ) ||
    isBeyondShare(facts.networkSpend, worstCase(settings), settings)
  )
}

/**
 * Calls that one network may begin in a span, of so many that the others leave: half of those, so that nobody who has several networks can
 * lock others out. A single person's always fit.
 */
function networkCalls(left: number, { addressLimits }: WebGateSettings): number {
  return Math.max(Math.ceil(left / 2), Math.min(...addressLimits.map(({ most }) => most)))
}

/**
 * Places that one network may hold: half of those that the others leave, of the gate's or of a smaller platform's, so that whoever owns
 * several ranges of addresses gets ever less of the house. One always fits while there is any.
 */
function networkPlaces(
  { inFlight, networkInFlight, places = Number.POSITIVE_INFINITY }: JudgedFacts,
  { concurrent }: WebGateSettings,
): number | undefined {
  if (concurrent === undefined) return undefined
  const left = Math.min(concurrent, places) - (inFlight - networkInFlight)
  return Math.max(1, Math.floor(left / 2))
}

function isReached(count: number, most: number | undefined): boolean {
  return most !== undefined && count >= most
}
