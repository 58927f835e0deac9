import { readFileSync } from 'node:fs'
import { DEFAULT_GATE, defaultDisclosure } from '@heyline/call-desk/settings'
import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.js'

const calls = (env: Record<string, string> = {}) => readSettings(env).calls
const gate = (env: Record<string, string>) => calls({ CALL_GATE: 'full', ...env }).gate

const refusal = (env: Record<string, string>) => {
  try {
    readSettings(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'accepted'
}

const TWILIO = { CARRIER: 'twilio', TWILIO_ACCOUNT_SID: 'AC0', TWILIO_AUTH_TOKEN: 'token' }
const HOSTED = {
  PLATFORM_URL: 'https://api.vapi.ai',
  PLATFORM_PUBLIC_KEY: 'public-key',
  PLATFORM_PRIVATE_KEY: 'private-key',
  PLATFORM_ASSISTANT_ID: 'assistant',
}

const OPEN_HOST = { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000', PHONE_KEY: 'k'.repeat(16) }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('the gate', () => {
  it('has the recommended limits with nothing set', () => {
    expect(calls().gate).toEqual({ ...DEFAULT_GATE, mode: 'simulated' })
    expect(gate({})).toEqual({ ...DEFAULT_GATE })
    // The numbers of films ring nobody only where nothing rings.
    for (const real of [TWILIO, HOSTED]) expect(calls(real).gate).toEqual(DEFAULT_GATE)
  })

  it('is the full one where others can reach the server, whatever the carrier', () => {
    for (const open of [{ PUBLIC_URL: 'https://demo.example' }, OPEN_HOST])
      expect([calls(open).gate.mode, calls(open).webGate.mode]).toEqual(['full', 'full'])
    expect(calls({ PUBLIC_URL: 'http://localhost:8080' }).gate.mode).toBe('simulated')
    const asked = calls({ PUBLIC_URL: 'https://demo.example', CALL_GATE: 'simulated' })
    expect([asked.gate.mode, asked.webGate.mode]).toEqual(['simulated', 'full'])
  })

  it.each(['MODEL_URL', 'TRANSCRIBER_URL', 'VOICE_URL'])(
    'counts money where %s is none of this machine',
    (name) => {
      const { gate, webGate } = calls({ [name]: 'https://api.openai.com/v1' })
      expect([gate.mode, gate.simulatedPrice]).toEqual(['simulated', 200_000])
      expect([webGate.mode, webGate.minutePrice]).toEqual(['simulated', 200_000])
      expect(calls({ [name]: 'http://127.0.0.1:8000/v1' }).gate.simulatedPrice).toBeUndefined()
      expect(
        calls({ [name]: 'https://api.openai.com/v1', WEB_CALL_PRICE: '0' }).gate.simulatedPrice,
      ).toBeUndefined()
    },
  )

  it('is the full one where calls are real, and nothing else is taken there', () => {
    for (const real of [TWILIO, HOSTED]) expect(calls(real).gate.mode).toBe('full')
    expect(refusal({ ...TWILIO, CALL_GATE: 'simulated' })).toBe(
      'CALL_GATE: simulated is for the simulated carrier of the built-in platform, and CARRIER is set to what places real calls: unset one of them',
    )
    expect(refusal({ ...HOSTED, CALL_GATE: 'simulated' })).toMatch(
      /^CALL_GATE: .* PLATFORM_URL is set to what/,
    )
    expect(refusal({ CALL_GATE: 'open' })).toBe('CALL_GATE: "open" is neither full nor simulated')
  })

  it('takes countries with prices of their own, and the price of the others', () => {
    const { countries } = gate({ CALL_COUNTRIES: 'US, CA,GB=0.40,DE=1', CALL_PRICE: '0.3' })
    expect([...countries]).toEqual([
      ['US', 300_000],
      ['CA', 300_000],
      ['GB', 400_000],
      ['DE', 1_000_000],
    ])
  })

  it.each([
    [
      'CALL_LIMIT_NUMBER',
      '4/30s,6/ever',
      {
        numberLimits: [
          { most: 4, windowMs: 30_000 },
          { most: 6, windowMs: Number.POSITIVE_INFINITY },
        ],
      },
    ],
    ['CALL_LIMIT_SLUG', '9/7d', { slugLimits: [{ most: 9, windowMs: 7 * day }] }],
    ['CALL_LIMIT_SLUG', 'off', { slugLimits: [] }],
    ['CALL_LIMIT_SLUG_CONCURRENT', '2', { slugConcurrent: 2 }],
    ['CALL_LIMIT_SLUG_CONCURRENT', 'off', { slugConcurrent: undefined }],
    ['CALL_LIMIT_ADDRESS', '7/1h', { addressLimits: [{ most: 7, windowMs: hour }] }],
    ['CALL_LIMIT_ADDRESS_NUMBERS', '4/2h', { addressNumbers: { most: 4, windowMs: 2 * hour, blockMs: day } }],
    [
      'CALL_LIMIT_ADDRESS_NUMBERS',
      '4/2h:3d',
      { addressNumbers: { most: 4, windowMs: 2 * hour, blockMs: 3 * day } },
    ],
    ['CALL_LIMIT_ADDRESS_NUMBERS', 'off', { addressNumbers: undefined }],
    ['CALL_LIMIT_NETWORK', '8/1h', { networkLimits: [{ most: 8, windowMs: hour }] }],
    ['CALL_LIMIT_PREFIX', '8/1h', { prefixLimits: [{ most: 8, windowMs: hour }] }],
    ['CALL_LIMIT_COUNTRY', '8/1h', { countryLimits: [{ most: 8, windowMs: hour }] }],
    ['CALL_LIMIT_STARTS', '8/1m', { startLimits: [{ most: 8, windowMs: minute }] }],
    ['CALL_LIMIT_CONCURRENT', '8', { concurrent: 8 }],
    ['CALL_LIMIT_DAY_USD', '2.5', { dayBudget: 2_500_000 }],
    ['CALL_LIMIT_DAY_USD', 'off', { dayBudget: undefined }],
    ['CALL_LIMIT_MONTH_USD', '30', { monthBudget: 30_000_000 }],
    ['CALL_LIMIT_SECONDS', '300', { maxSeconds: 300 }],
    [
      'CALL_BREAKER_FAILURES',
      '6/3m',
      { breaker: { ...DEFAULT_GATE.breaker, failures: { most: 6, windowMs: 3 * minute } } },
    ],
    ['CALL_BREAKER_LONGEST', 'off', { breaker: { ...DEFAULT_GATE.breaker, longest: undefined } }],
    ['CALL_BREAKER_SPEND', '2.5', { breaker: { ...DEFAULT_GATE.breaker, spendFactor: 2.5 } }],
    ['CALL_BLOCKED_PREFIXES', '+1900,+1???976', { blockedPrefixes: ['+1900', '+1???976'] }],
    ['CALL_BLOCKED_PREFIXES', 'off', { blockedPrefixes: [] }],
    ['CALL_HOURS', '8-24', { hours: { from: 8, to: 24 } }],
    ['CALL_HOURS', 'off', { hours: undefined }],
  ])('takes %s=%s', (name, value, expected) => {
    expect(gate({ [name]: value })).toEqual({ ...DEFAULT_GATE, ...expected })
  })

  it.each([
    [
      'CALL_COUNTRIES',
      'US,UK',
      'holds "UK", which is not the code of a country that has phone numbers, like US or GB=0.40',
    ],
    [
      'CALL_COUNTRIES',
      'us',
      'holds "us", which is not the code of a country that has phone numbers, like US or GB=0.40',
    ],
    [
      'CALL_COUNTRIES',
      'US,GB=cheap',
      'holds "GB=cheap", whose price is not one of US dollars a minute, like 0.40',
    ],
    ['CALL_COUNTRIES', 'US,GB=0', 'holds "GB=0", whose price is not one of US dollars a minute, like 0.40'],
    ['CALL_COUNTRIES', 'US,US', 'holds "US", which is there twice'],
    ['CALL_PRICE', '-1', 'is not an amount of US dollars above 0, like 0.25'],
    ['CALL_PRICE', 'off', 'is not an amount of US dollars above 0, like 0.25'],
    [
      'CALL_LIMIT_NUMBER',
      '1/2m,often',
      'holds "often", which is not a count, a slash and a time, like 3/24h (s, m, h, d) or 5/ever',
    ],
    [
      'CALL_LIMIT_SLUG',
      '0/24h',
      'holds "0/24h", which is not a count, a slash and a time, like 3/24h (s, m, h, d) or 5/ever',
    ],
    ['CALL_LIMIT_SLUG_CONCURRENT', '0', 'is neither off nor a whole number of 1 or more'],
    ['CALL_LIMIT_CONCURRENT', 'many', 'is neither off nor a whole number of 1 or more'],
    [
      'CALL_LIMIT_ADDRESS_NUMBERS',
      '3/ever',
      'is neither off nor a limit and how long it blocks, like 3/1h:24h',
    ],
    [
      'CALL_LIMIT_ADDRESS_NUMBERS',
      '3/1h:24h:1d',
      'is neither off nor a limit and how long it blocks, like 3/1h:24h',
    ],
    ['CALL_LIMIT_DAY_USD', '$10', 'is neither off nor an amount of US dollars above 0, like 10'],
    ['CALL_LIMIT_MONTH_USD', '0', 'is neither off nor an amount of US dollars above 0, like 10'],
    ['CALL_LIMIT_SECONDS', 'off', 'is not a whole number from 10 to 300'],
    ['CALL_LIMIT_SECONDS', '301', 'is not a whole number from 10 to 300'],
    ['CALL_LIMIT_SECONDS', '9', 'is not a whole number from 10 to 300'],
    ['CALL_BREAKER_FAILURES', '5/ever', 'is neither off nor a count, a slash and a time, like 5/2m'],
    ['CALL_BREAKER_LONGEST', '3', 'is neither off nor a count, a slash and a time, like 5/2m'],
    ['CALL_BREAKER_SPEND', '0.5', 'is neither off nor a number of 1 or more, like 3'],
    [
      'CALL_BLOCKED_PREFIXES',
      '+1900,976',
      'holds "976", which is not + and digits (? for any digit), like +1900',
    ],
    [
      'CALL_BLOCKED_PREFIXES',
      '+???',
      'holds "+???", which is not + and digits (? for any digit), like +1900',
    ],
    ['CALL_HOURS', '20-09', 'is neither off nor two full hours of a day, the earlier one first, like 09-20'],
    ['CALL_HOURS', '09-25', 'is neither off nor two full hours of a day, the earlier one first, like 09-20'],
    ['CALL_TRANSCRIPT_DAYS', '0', 'is not a whole number from 1 to 3650'],
    ['COMPANY_NAME', ' ', 'says nothing'],
    ['CALL_DISCLOSURE', ' ', 'says nothing'],
  ])('names what is wrong with %s=%s', (name, value, fault) => {
    expect(refusal({ [name]: value })).toBe(`${name}: "${value}" ${fault}`)
  })

  it('refuses a guard that there is not, and says which there are', () => {
    expect(refusal({ CALL_LIMIT_PER_DAY: '3' })).toMatch(
      /^CALL_LIMIT_PER_DAY: there is no such setting: there are CALL_LIMIT_NUMBER, .*, CALL_LIMIT_SECONDS$/,
    )
    expect(refusal({ CALL_BREAKER_MONEY: '3' })).toBe(
      'CALL_BREAKER_MONEY: there is no such setting: there are CALL_BREAKER_FAILURES, CALL_BREAKER_LONGEST, CALL_BREAKER_SPEND',
    )
  })

  it('knows which guards are set that a simulated gate does not look at', () => {
    const set = {
      CALL_COUNTRIES: 'US',
      CALL_LIMIT_SLUG: '9/1d',
      CALL_LIMIT_SECONDS: '60',
      COMPANY_NAME: 'Acme',
    }
    expect(calls(set).unheeded).toEqual(['CALL_COUNTRIES', 'CALL_LIMIT_SLUG'])
    expect(calls({ ...set, CALL_GATE: 'full' }).unheeded).toEqual([])
  })
})

describe('the disclosure', () => {
  it('names the company', () => {
    expect(calls().disclosure).toBe(defaultDisclosure('Heyline'))
    expect(calls({ COMPANY_NAME: 'Acme' }).disclosure).toBe(defaultDisclosure('Acme'))
    expect(calls({ COMPANY_NAME: 'A$&B', CALL_DISCLOSURE: '{company} calls. {company}!' }).disclosure).toBe(
      'A$&B calls. A$&B!',
    )
  })

  it('is not longer with the name than it may be', () => {
    expect(refusal({ COMPANY_NAME: 'Acme & Sons', CALL_DISCLOSURE: `${'x'.repeat(485)} {company}` })).toBe(
      'accepted',
    )
    expect(
      refusal({ COMPANY_NAME: 'Acme & Sons of York', CALL_DISCLOSURE: `${'x'.repeat(485)} {company}` }),
    ).toBe('CALL_DISCLOSURE: begins every call, and is longer than 500 characters: make it shorter')
  })
})

describe('the human check', () => {
  const turnstile = { HUMAN_CHECK: 'turnstile', TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'hush' }
  const kind = (env: Record<string, string>) => calls(env).humanCheck?.kind

  it('is altcha where calls are real, and none else, unless it is named', () => {
    expect([kind({}), kind(TWILIO), kind(HOSTED)]).toEqual([undefined, 'altcha', 'altcha'])
    expect([kind({ HUMAN_CHECK: 'altcha' }), kind({ ...TWILIO, HUMAN_CHECK: 'off' })]).toEqual([
      'altcha',
      undefined,
    ])
    expect(calls(turnstile).humanCheck).toEqual({
      kind: 'turnstile',
      siteKey: 'site',
      secretKey: 'hush',
      url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    })
  })

  it('is off with a foreign webhook, and so is the live status', () => {
    const env = { ...turnstile, LIVE_STATUS: 'on' }
    expect(calls(env).liveStatus).toBe(true)
    expect(calls({ ...env, CALL_WEBHOOK_URL: 'https://hooks.example' })).toMatchObject({
      humanCheck: undefined,
      liveStatus: false,
    })
  })

  it.each([
    [{ HUMAN_CHECK: 'captcha' }, 'HUMAN_CHECK: "captcha" is neither altcha nor turnstile nor off'],
    [{ HUMAN_CHECK: 'turnstile' }, 'TURNSTILE_SITE_KEY: is needed with HUMAN_CHECK=turnstile'],
    [
      { ...turnstile, TURNSTILE_SECRET_KEY: '' },
      'TURNSTILE_SECRET_KEY: is needed with HUMAN_CHECK=turnstile',
    ],
    [
      { TURNSTILE_SECRET_KEY: 'hush' },
      'TURNSTILE_SECRET_KEY: has no effect without HUMAN_CHECK=turnstile: set that too, or unset this',
    ],
    [
      { ...turnstile, TURNSTILE_SITE_KEY: 'hush' },
      'TURNSTILE_SITE_KEY: the value is the same as TURNSTILE_SECRET_KEY, and everybody can read a page: give the public key',
    ],
    [
      { ...TWILIO, PUBLIC_URL: 'http://demo.example' },
      'HUMAN_CHECK: altcha needs what browsers give to https:// pages only, and PUBLIC_URL is http://demo.example: give it an https:// address, or set HUMAN_CHECK=off',
    ],
    [{ ...TWILIO, PUBLIC_URL: 'http://localhost:8080' }, 'accepted'],
    [{ ...TWILIO, PUBLIC_URL: 'https://demo.example' }, 'accepted'],
    [{ ...TWILIO, PUBLIC_URL: 'http://demo.example', HUMAN_CHECK: 'off' }, 'accepted'],
    [{ PUBLIC_URL: 'http://demo.example' }, 'accepted'],
  ])('is checked with %j', (env, message) => {
    expect(refusal(env)).toBe(message)
  })
})

it('is as .env.example says', () => {
  const text = readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8')
  const documented = Object.fromEntries(
    [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace(/^\$.*/, ''),
    ]),
  )
  expect(readSettings(documented)).toMatchObject({
    ...readSettings({}),
    calls: { ...calls(), unheeded: expect.any(Array) },
  })
  expect(Object.keys(documented)).toEqual(
    expect.arrayContaining(['CALL_LIMIT_SLUG', 'HUMAN_CHECK', 'TRUST_PROXY']),
  )
})

describe('what is kept', () => {
  it('goes after so many days, which can be set', () => {
    const days = { transcripts: 90, addresses: 30, refused: 30, records: 365, audit: 365 }
    expect(calls().retention).toEqual(days)
    const set = { CALL_TRANSCRIPT_DAYS: '1', CALL_ADDRESS_DAYS: '2', CALL_REFUSED_DAYS: '3' }
    expect(calls({ ...set, CALL_RECORD_DAYS: '40', CALL_AUDIT_DAYS: '5' }).retention).toEqual({
      ...{ transcripts: 1, addresses: 2, refused: 3, records: 40, audit: 5 },
    })
  })

  it('is no shorter than the month of money', () => {
    expect(refusal({ CALL_RECORD_DAYS: '31' })).toMatch(
      /^CALL_RECORD_DAYS: "31" is not a whole number from 32/,
    )
  })
})
