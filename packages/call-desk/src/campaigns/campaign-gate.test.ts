import { expect, it } from 'vitest'
import { DEFAULT_GATE } from '../gate/gate-settings.js'
import { campaignGate } from './campaign-gate.js'

const startsOf = (...most: number[]): number[] =>
  campaignGate({
    ...DEFAULT_GATE,
    startLimits: most.map((one) => ({ most: one, windowMs: 1000 })),
  }).startLimits.map((limit) => limit.most)

it('leaves visitors a quarter of the starts, and at least one where there are two', () => {
  expect(startsOf(50, 5, 3, 2, 1, 0)).toEqual([38, 4, 2, 1, 1, 0])
})

it('leaves them a part of each country and prefix, of the money, and a call at once', () => {
  const { countryLimits, prefixLimits, budgetShare, concurrent, numberLimits } = campaignGate(DEFAULT_GATE)
  expect(countryLimits.map(({ most }) => most)).toEqual([15])
  expect(prefixLimits.map(({ most }) => most)).toEqual([2, 4])
  expect({ budgetShare, concurrent, numberLimits }).toEqual({
    budgetShare: 0.75,
    concurrent: 4,
    numberLimits: DEFAULT_GATE.numberLimits,
  })
})
