import { describe, expect, it } from 'vitest'
import { gateWarnings } from '../start/gate-summary.js'
import { readSettings } from './settings.js'

const refusal = (env: Record<string, string>) => {
  try {
    readSettings(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'accepted'
}
const TWILIO = { CARRIER: 'twilio', TWILIO_ACCOUNT_SID: 'AC0', TWILIO_AUTH_TOKEN: 'token' }

describe('a budget that fits no call', () => {
  it.each([
    [
      { CALL_LIMIT_DAY_USD: '0.74' },
      'CALL_LIMIT_DAY_USD: 0.74 USD fits no call to US: one of CALL_LIMIT_SECONDS=180 at 0.25 USD a minute (CALL_PRICE, CALL_COUNTRIES) may cost 0.75 USD; raise it, or make calls shorter',
    ],
    [{ CALL_LIMIT_DAY_USD: '0.75' }, 'accepted'],
    [{ CALL_LIMIT_DAY_USD: '0.5', CALL_LIMIT_SECONDS: '120' }, 'accepted'],
    [
      { CALL_LIMIT_MONTH_USD: '5', CALL_COUNTRIES: 'US,CU=2' },
      /^CALL_LIMIT_MONTH_USD: 5 USD fits no call to CU: /,
    ],
    [{ CALL_LIMIT_DAY_USD: '0.1', CALL_GATE: 'simulated' }, 'accepted'],
    [{ CALL_LIMIT_DAY_USD: '0.1', CALL_WEBHOOK_URL: 'https://hooks.example' }, 'accepted'],
    [
      { CALL_WEBHOOK_URL: 'https://hooks.example', WEB_CALL_PRICE: '0.2', WEB_CALL_LIMIT_DAY_USD: '1' },
      /^WEB_CALL_LIMIT_DAY_USD: 1 USD fits no call: /,
    ],
  ])('is refused, where budgets count: %j', (env, message) => {
    expect(refusal({ CALL_GATE: 'full', ...env })).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })
})

describe('a name that there is not', () => {
  it.each(['CALL_GATES', 'CALL_COUNTRY', 'CALL_PRICES'])('is refused: %s', (name) => {
    expect(refusal({ [name]: 'x' })).toMatch(
      new RegExp(
        `^${name}: there is no such setting: there are CALL_WEBHOOK_URL, CALL_GATE, CALL_COUNTRIES, CALL_PRICE, `,
      ),
    )
  })
  it('is not that of the webhook, nor of others', () => {
    expect(refusal({ CALL_WEBHOOK_URL: 'https://hooks.example', CALLER: 'x' })).toBe('accepted')
  })
})

describe('the disclosure', () => {
  it('has no place for anything but the company', () => {
    expect(refusal({ CALL_DISCLOSURE: '{compny} calls you.' })).toBe(
      'CALL_DISCLOSURE: holds {compny}, but only {company} is filled in: use that, or leave it out',
    )
  })

  it('is not repeated whole where it is too long', () => {
    expect(refusal({ CALL_DISCLOSURE: 'x'.repeat(501) })).toBe(
      `CALL_DISCLOSURE: "${'x'.repeat(100)}…" is longer than 500 characters`,
    )
  })

  it.each<[Record<string, string>, boolean]>([
    [TWILIO, true],
    [{ ...TWILIO, CALL_DISCLOSURE: '{company} calls.' }, true],
    [{ ...TWILIO, CALL_DISCLOSURE: 'Acme calls.' }, false],
    [{ ...TWILIO, COMPANY_NAME: 'Acme' }, false],
    [{ CALL_GATE: 'full' }, false],
  ])('of a real call in the name of Heyline is worth a caution: %j', (env, cautioned) => {
    const warnings = gateWarnings(readSettings(env).calls)
    expect(
      warnings.some((warning) => /^Careful: .* behalf of Heyline\. Set COMPANY_NAME/.test(warning)),
    ).toBe(cautioned)
  })
})
