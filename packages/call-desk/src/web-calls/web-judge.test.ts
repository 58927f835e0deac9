import { describe, expect, it } from 'vitest'
import type { WebFacts } from './web-facts.js'
import { DEFAULT_WEB_GATE } from './web-gate-settings.js'
import { type JudgedFacts, judgeWebCall } from './web-judge.js'

const nothing = { day: 0, dayOfOthers: 0, month: 0, monthOfOthers: 0 }
const calm: WebFacts = {
  paused: false,
  addressRefusals: 0,
  networkRefusals: 0,
  refusals: 0,
  counts: { addressLimits: [0, 0], networkLimits: [0, 0], slugLimits: [0, 0], startLimits: [0, 0] },
  networkCounts: { slugLimits: [0, 0], startLimits: [0, 0] },
  networkSpend: nothing,
  addressInFlight: 0,
  networkInFlight: 0,
  inFlight: 0,
}
const judged = (facts: Partial<JudgedFacts>) =>
  judgeWebCall({ ...calm, ...facts }, false, { ...DEFAULT_WEB_GATE, concurrent: 20 })

/** How many calls a network gets beside those of others. */
function shareOf(facts: Pick<JudgedFacts, 'places'>, others = 0): number {
  for (let own = 0; own < 50; own++) {
    const refusal = judged({ ...facts, networkInFlight: own, inFlight: others + own })
    if (refusal !== undefined) return own
  }
  return Number.POSITIVE_INFINITY
}

describe('the places of one network', () => {
  it.each([
    [undefined, 10],
    [Number.POSITIVE_INFINITY, 10],
    [100, 10],
    [20, 10],
    [12, 6],
    [5, 2],
    [1, 1],
    [0, 1],
  ])('of a platform with %s are %d', (places, share) => {
    expect(shareOf({ places })).toBe(share)
  })

  it('are half of those that others leave of the platform', () => {
    expect([0, 2, 3, 4, 5].map((others) => shareOf({ places: 6 }, others))).toEqual([3, 2, 1, 1, 1])
  })

  it('are not the gate’s to give where others have more calls than it lets begin', () => {
    expect(judged({ places: 6, inFlight: 20 })).toBe('limit_concurrent')
    expect(judged({ places: 6, inFlight: 6 })).toBeUndefined()
  })

  it('have no bound where the calls at once have none', () => {
    const settings = { ...DEFAULT_WEB_GATE, concurrent: undefined }
    const facts = { ...calm, places: 4, networkInFlight: 30, inFlight: 30 }
    expect(judgeWebCall(facts, false, settings)).toBeUndefined()
  })
})
