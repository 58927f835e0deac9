import { expect, it } from 'vitest'
import { raisedWebLimits } from './raised-web-limits.js'
import { DEFAULT_WEB_GATE, type WebGateSettings } from './web-gate-settings.js'

const raisedBy = (changes: Partial<WebGateSettings>) =>
  raisedWebLimits({ ...DEFAULT_WEB_GATE, ...changes }).map(({ setting }) => setting)

it('names none of the defaults, nothing that is stricter, and nothing of a simulated gate', () => {
  expect(raisedBy({})).toEqual([])
  expect(raisedBy({ addressConcurrent: 1, startLimits: [{ most: 1, windowMs: 86_400_000 }] })).toEqual([])
  expect(raisedBy({ mode: 'simulated', concurrent: undefined })).toEqual([])
})

it.each<[string, Partial<WebGateSettings>]>([
  ['web.addressLimits', { addressLimits: [] }],
  ['web.slugLimits', { slugLimits: [{ most: 61, windowMs: 3_600_000 }] }],
  ['web.addressConcurrent', { addressConcurrent: undefined }],
  ['web.concurrent', { concurrent: 21 }],
  ['web.dayBudget', { dayBudget: undefined }],
  ['web.maxSeconds', { maxSeconds: 601 }],
])('names %s', (name, changes) => {
  expect(raisedBy(changes)).toEqual([name])
})
