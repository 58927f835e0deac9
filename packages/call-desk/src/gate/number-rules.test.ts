import { describe, expect, it } from 'vitest'
import { parsePhoneNumber } from '../call/phone-number.js'
import { DEFAULT_GATE } from './gate-settings.js'
import { refuseNumber } from './number-rules.js'

const wide = {
  ...DEFAULT_GATE,
  countries: new Map(['US', 'CA', 'GB', 'AU', 'LV'].map((country) => [country, 1])),
}

function refusalOf(text: string, settings: Parameters<typeof refuseNumber>[1] = wide, own: string[] = []) {
  const number = parsePhoneNumber(text)
  if (!number) throw new Error(`${text} is no number`)
  return refuseNumber(number, settings, own)
}

describe('refuseNumber', () => {
  it.each([
    ['an ordinary line', '+14155552671', undefined],
    ['a mobile', '+447400123456', undefined],
    ['a fixed line', '+442079460958', undefined],
    ['premium rate', '+19002345678', 'premium_blocked'],
    ['premium rate that only full metadata know', '+37190123456', 'premium_blocked'],
    ['shared cost', '+611300123456', 'premium_blocked'],
    ['toll-free', '+18002345678', 'type_not_allowed'],
    ['personal', '+447012345678', 'type_not_allowed'],
    ['internet telephony', '+445612345678', 'type_not_allowed'],
    ['a pager', '+447640123456', 'type_not_allowed'],
    ['a company-wide number', '+443031231234', 'type_not_allowed'],
    ['premium inside every area code', '+12129761234', 'prefix_blocked'],
    ['a neighbour of it', '+12129771234', undefined],
    ['personal of +1', '+15005552671', 'type_not_allowed'],
    ['directory assistance', '+14155551212', 'type_not_allowed'],
    ['directory assistance of Canada', '+16045551212', 'type_not_allowed'],
    ['a neighbour of it', '+14155551213', undefined],
    ['emergency as an exchange', '+14159112345', 'type_not_allowed'],
    ['information as an exchange', '+14154112345', 'type_not_allowed'],
    ['the first of the N11 exchanges', '+14152112345', 'type_not_allowed'],
    ['an exchange that only ends so', '+14154122345', undefined],
    ['N11 as the last digits', '+14155554111', undefined],
    ['the access code of a carrier', '+14159501234', 'type_not_allowed'],
    ['a test line', '+14159581234', 'type_not_allowed'],
    ['another test line', '+14159591234', 'type_not_allowed'],
    ["a number of films, which is nobody's", '+14155550100', undefined],
    ['no such services elsewhere', '+447455551212', undefined],
    ['a free conference line in Iowa', '+17124320075', 'prefix_blocked'],
    ['one in South Dakota', '+16054754000', 'prefix_blocked'],
    ['a neighbour of it', '+16054764000', undefined],
  ])('%s: %s', (_, text, refusal) => {
    expect(refusalOf(text)).toBe(refusal)
  })

  it.each(['+18765018765', '+18092345678', '+14412345678', '+447797712345', '+447624123456', '+33612345678'])(
    'goes by country, not by calling code: %s',
    (text) => {
      expect(refusalOf(text)).toBe('country_not_allowed')
    },
  )

  it('allows the United States and Canada alone by default', () => {
    expect(refusalOf('+14155552671', DEFAULT_GATE)).toBeUndefined()
    expect(refusalOf('+16045551234', DEFAULT_GATE)).toBeUndefined()
    expect(refusalOf('+447400123456', DEFAULT_GATE)).toBe('country_not_allowed')
  })

  it('never calls its own numbers', () => {
    expect(refusalOf('+1 415 555 2671', wide, ['+14155552671'])).toBe('prefix_blocked')
    expect(refusalOf('+14155552672', wide, ['+14155552671'])).toBeUndefined()
  })

  it.each([
    ['+1415', 'prefix_blocked'],
    ['+1?15555', 'prefix_blocked'],
    ['+14155552671', 'prefix_blocked'],
    ['+14155552671?', undefined],
    ['+1416', undefined],
    ['+1?16', undefined],
  ])('blocks what begins with %s: %s', (prefix, refusal) => {
    expect(refusalOf('+14155552671', { ...wide, blockedPrefixes: [prefix] })).toBe(refusal)
  })
})
