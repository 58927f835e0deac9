import { DEFAULT_GATE, DEFAULT_WEB_GATE } from '@heyline/call-desk'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { type LimitRow, safetyHandlers } from './safety-handlers.js'

it('counts the use of the limits once a second, however many ask', async () => {
  const clock = new ManualClock()
  let counted = 0
  const desk = {
    limitUse: async () => ({ dayBudget: [++counted] }),
    spend: async () => [],
    refusals: async () => [],
  }
  const limit: LimitRow = {
    name: 'dayBudget',
    setting: 'CALL_LIMIT_DAY_USD',
    kind: 'phone',
    meaning: 'What calls of a day cost.',
    value: '10',
    default: '10',
    raised: false,
    unit: 'microusd',
    windows: [{ span: '24h', most: 10 }],
  }
  const { limits } = safetyHandlers({
    desk,
    gate: DEFAULT_GATE,
    webGate: DEFAULT_WEB_GATE,
    limits: [limit],
    clock,
  })
  const used = async () => (await limits()).limits[0]?.use[0]?.used
  expect(await Promise.all(Array.from({ length: 50 }, used))).toEqual(Array.from({ length: 50 }, () => 1))
  clock.advance(999)
  expect(await used()).toBe(1)
  clock.advance(1)
  expect(await used()).toBe(2)
})
