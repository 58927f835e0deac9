import { DEFAULT_WEB_GATE, SIMULATED_WEB_GATE, type WebGateSettings } from '@heyline/call-desk/settings'
import { expect, it } from 'vitest'
import { gateLines, gateWarnings } from '../start/gate-summary.js'
import { readSettings } from './settings.js'

const webGate = (env: Record<string, string>) => readSettings(env).calls.webGate
const refusal = (env: Record<string, string>) => {
  try {
    readSettings(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'accepted'
}

const PUBLIC = { PUBLIC_URL: 'https://demo.example' }
const HOSTED = {
  PLATFORM_URL: 'https://api.vapi.ai',
  PLATFORM_PUBLIC_KEY: 'public-key',
  PLATFORM_PRIVATE_KEY: 'private-key',
  PLATFORM_ASSISTANT_ID: 'assistant',
}
const minute = 60_000

it('has the recommended limits with nothing set, and a price where calls cost money', () => {
  expect(webGate({})).toEqual(SIMULATED_WEB_GATE)
  expect(webGate({ CALL_GATE: 'full' })).toEqual({ ...DEFAULT_WEB_GATE, minutePrice: 0 })
  expect(webGate(PUBLIC)).toEqual({ ...DEFAULT_WEB_GATE, minutePrice: 0 })
  expect(webGate(HOSTED)).toEqual(DEFAULT_WEB_GATE)
})

it.each<[string, string, Partial<WebGateSettings>]>([
  ['WEB_CALL_LIMIT_ADDRESS', '7/1m', { addressLimits: [{ most: 7, windowMs: minute }] }],
  ['WEB_CALL_LIMIT_ADDRESS', 'off', { addressLimits: [] }],
  ['WEB_CALL_LIMIT_ADDRESS_CONCURRENT', '5', { addressConcurrent: 5 }],
  ['WEB_CALL_LIMIT_NETWORK', '7/1m', { networkLimits: [{ most: 7, windowMs: minute }] }],
  ['WEB_CALL_LIMIT_SLUG', '7/ever', { slugLimits: [{ most: 7, windowMs: Number.POSITIVE_INFINITY }] }],
  ['WEB_CALL_LIMIT_STARTS', '7/1m', { startLimits: [{ most: 7, windowMs: minute }] }],
  ['WEB_CALL_LIMIT_CONCURRENT', 'off', { concurrent: undefined }],
  ['WEB_CALL_LIMIT_DAY_USD', '2.5', { dayBudget: 2_500_000 }],
  ['WEB_CALL_LIMIT_MONTH_USD', 'off', { monthBudget: undefined }],
  ['WEB_CALL_LIMIT_SECONDS', '120', { maxSeconds: 120 }],
  ['WEB_CALL_PRICE', '0.05', { minutePrice: 50_000 }],
  ['WEB_CALL_PRICE', '0.00', { minutePrice: 0 }],
])('takes %s=%s', (name, value, expected) => {
  expect(webGate({ ...HOSTED, [name]: value })).toEqual({ ...DEFAULT_WEB_GATE, ...expected })
})

it.each([
  [{ WEB_CALL_PRICE: 'cheap' }, 'WEB_CALL_PRICE: "cheap" is not an amount of US dollars, like 0 or 0.20'],
  [{ WEB_CALL_LIMIT_SECONDS: '5' }, /^WEB_CALL_LIMIT_SECONDS: /],
  [
    { WEB_CALL_LIMITS: 'x' },
    /^WEB_CALL_LIMITS: there is no such setting: there are WEB_CALL_LIMIT_ADDRESS, /,
  ],
  [
    { ...HOSTED, WEB_CALL_LIMIT_DAY_USD: '1.99' },
    'WEB_CALL_LIMIT_DAY_USD: 1.99 USD fits no call: one of WEB_CALL_LIMIT_SECONDS=600 at 0.2 USD a minute (WEB_CALL_PRICE) may cost 2 USD; raise it, or make calls shorter',
  ],
  [{ WEB_CALL_LIMIT_DAY_USD: '1.99' }, 'accepted'],
  [
    { MODEL_URL: 'https://api.openai.com/v1', CALL_LIMIT_DAY_USD: '0.5' },
    /^CALL_LIMIT_DAY_USD: 0.5 USD fits no call to the pocket phone: .* at 0.2 USD a minute \(WEB_CALL_PRICE\)/,
  ],
])('refuses what fits nothing: %j', (env, message) => {
  expect(refusal(env)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
})

it('says at the start what is on, what is raised, and what is not heeded', () => {
  const lines = (env: Record<string, string>) => gateLines(readSettings(env).calls)
  expect(lines({})).toContain('in the browser: no limits but the pause, at most 600 s a call')
  expect(lines(HOSTED)).toContain(
    'in the browser: all limits are on, at most 600 s a call, 20 USD a day, 200 USD a month at 0.2 USD a minute',
  )
  const warnings = (env: Record<string, string>) => gateWarnings(readSettings(env).calls)
  expect(warnings({ ...PUBLIC, HUMAN_CHECK: 'altcha', WEB_CALL_LIMIT_CONCURRENT: 'off' })).toEqual([
    'Careful: these let more calls pass than is recommended: WEB_CALL_LIMIT_CONCURRENT.',
  ])
  const unheeded = { WEB_CALL_LIMIT_SLUG: '1/1h', WEB_CALL_LIMIT_SECONDS: '60', CALL_LIMIT_DAY_USD: '10' }
  expect(warnings(unheeded)).toEqual([
    'These settings count only with CALL_GATE=full: WEB_CALL_LIMIT_SLUG, CALL_LIMIT_DAY_USD.',
  ])
  expect(warnings({ ...unheeded, VOICE_URL: 'https://api.openai.com/v1' })).toEqual([
    'These settings count only with CALL_GATE=full: WEB_CALL_LIMIT_SLUG.',
  ])
})
