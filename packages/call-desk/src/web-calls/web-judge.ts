import { isBeyondCalls, isBeyondPlaces, isBeyondShare } from '../gate/network-share.js'
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
  const { inFlight, networkInFlight, places = Number.POSITIVE_INFINITY } = facts
  const { concurrent, addressLimits } = settings
  const ofOneAddress = Math.min(...addressLimits.map(({ most }) => most))
  return (
    // Of the gate's places, or of a smaller platform's.
    (concurrent !== undefined &&
      isBeyondPlaces({ most: Math.min(concurrent, places), used: inFlight, own: networkInFlight })) ||
    SHARED_LIMITS.some((limits) =>
      settings[limits].some(({ most }, place) => {
        const own = facts.networkCounts[limits]?.[place] ?? 0
        return isBeyondCalls({ most, used: facts.counts[limits]?.[place] ?? most, own }, ofOneAddress)
      }),
    ) ||
    isBeyondShare(facts.networkSpend, worstCase(settings), settings)
  )
}

function isReached(count: number, most: number | undefined): boolean {
  return most !== undefined && count >= most
}
