import {
  DEFAULT_GATE,
  DEFAULT_WEB_GATE,
  type GateSettings,
  raisedLimits,
  raisedWebLimits,
} from '@heyline/call-desk/settings'
import { expect, it } from 'vitest'
import { guardText } from './guard-values.js'
import { readSettings } from './settings.js'

const texts = (changes: Partial<GateSettings>) =>
  raisedLimits({ ...DEFAULT_GATE, ...changes }).map((raised) => {
    const { setting, value, normal } = guardText(raised)
    return [setting, value, normal]
  })

it.each([
  ['CALL_COUNTRIES', 'GB=0.4', 'US,CA', 'US,CA,GB=0.40'],
  ['CALL_BLOCKED_PREFIXES', 'off', DEFAULT_GATE.blockedPrefixes.join(',')],
  ['CALL_LIMIT_PREFIX', '9/1h,9/24h', '3/1h,5/24h'],
  ['CALL_LIMIT_NUMBER', 'off', '1/2m,2/1h,3/24h,5/30d'],
  ['CALL_LIMIT_SLUG', '9/30s,9/ever', '3/24h,5/ever'],
  ['CALL_LIMIT_ADDRESS_NUMBERS', '4/2h:3d', '3/1h:24h'],
  ['CALL_LIMIT_CONCURRENT', 'off', '5'],
  ['CALL_LIMIT_DAY_USD', '12.5', '10'],
  ['CALL_LIMIT_MONTH_USD', 'off', '100'],
  ['CALL_LIMIT_SECONDS', '240', '180'],
  ['CALL_HOURS', '08-24', '09-20'],
  ['CALL_BREAKER_FAILURES', '6/2m', '5/2m'],
  ['CALL_BREAKER_SPEND', 'off', '3'],
])('writes %s as the environment does: %s', (name, value, normal, given = value) => {
  const { gate } = readSettings({ CALL_GATE: 'full', [name]: given }).calls
  expect(texts(gate)).toEqual([[name, value, normal]])
})

it.each([
  ['WEB_CALL_LIMIT_ADDRESS', 'off', '12/10m,40/24h'],
  ['WEB_CALL_LIMIT_ADDRESS_CONCURRENT', '4', '3'],
  ['WEB_CALL_LIMIT_NETWORK', '37/10m,200/24h', '36/10m,200/24h'],
  ['WEB_CALL_LIMIT_SLUG', '61/1h,900/ever', '60/1h,200/24h'],
  ['WEB_CALL_LIMIT_STARTS', '61/1m', '60/1m,1000/24h'],
  ['WEB_CALL_LIMIT_CONCURRENT', 'off', '20'],
  ['WEB_CALL_LIMIT_DAY_USD', '30', '20'],
  ['WEB_CALL_LIMIT_MONTH_USD', 'off', '200'],
  ['WEB_CALL_LIMIT_SECONDS', '601', '600'],
])('writes %s as the environment does: %s', (name, value, normal) => {
  const { webGate } = readSettings({ CALL_GATE: 'full', [name]: value }).calls
  expect(webGate).not.toEqual(DEFAULT_WEB_GATE)
  expect(raisedWebLimits(webGate).map(guardText)).toEqual([{ setting: name, value, normal }])
})
