import { describe, expect, it } from 'vitest'
import { numberParts, parsePhoneNumber } from './phone-number.js'

describe('parsePhoneNumber', () => {
  it.each([
    ['+14155552671', '+14155552671'],
    [' +1 (415) 555-2671 ', '+14155552671'],
    ['+1.415.555/2671', '+14155552671'],
    ['+1\u00a0415\u00a0555\u00a02671', '+14155552671'],
    ['+12025550101', '+12025550101'],
    ['+12025550102', '+12025550102'],
    ['+12025550103', '+12025550103'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+44 (0) 20 7946 0958', '+442079460958'],
    ['+33 6 12 34 56 78', '+33612345678'],
  ])('reads %j as %s', (text, number) => {
    expect(parsePhoneNumber(text)?.e164).toBe(number)
  })

  it.each([
    ['+14155552671', 'US', 'FIXED_LINE_OR_MOBILE', '+1415555'],
    ['+16045551234', 'CA', 'FIXED_LINE_OR_MOBILE', '+1604555'],
    ['+18765018765', 'JM', 'MOBILE', '+1876501'],
    ['+442079460958', 'GB', 'FIXED_LINE', '+44207946'],
    ['+19002345678', 'US', 'PREMIUM_RATE', '+1900234'],
    ['+18002345678', 'US', 'TOLL_FREE', '+1800234'],
    // Only the full metadata know that this is premium.
    ['+37190123456', 'LV', 'PREMIUM_RATE', '+3719012'],
  ])('knows of %s country, type and prefix', (text, country, type, prefix) => {
    expect(parsePhoneNumber(text)).toMatchObject({ country, type, prefix })
  })

  it.each([
    ['nothing', ''],
    ['no country code', '4155552671'],
    ['two plus signs', '++14155552671'],
    ['words around it', 'call +1 415 555 2671 now'],
    ['an extension', '+14155552671;ext=123'],
    ['an extension in words', '+1 415 555 2671 x123'],
    ['an extension after a hash', '+14155552671#123'],
    ['an extension after a comma', '+14155552671,,123'],
    ['a tel: address', 'tel:+14155552671'],
    ['a tel: address with a context', 'tel:5552671;phone-context=+1415'],
    ['a sub-address', '+14155552671;isub=1'],
    ['a sip: address', 'sip:+14155552671@example.com'],
    ['letters', '+1800FLOWERS'],
    ['letters in the middle', '+1415555CALL'],
    ['full-width digits', '+１４１５５５５２６７１'],
    ['a full-width plus', '＋14155552671'],
    ['Arabic digits', '+١٤١٥٥٥٥٢٦٧١'],
    ['a mark that nobody sees', '+1415555\u200b2671'],
    ['a mark that turns the text around', '\u202e+14155552671'],
    ['a line break', '+1415\n5552671'],
    ['two numbers', '+14155552671 +14155552672'],
    ['a satellite phone, of no country', '+881612345678'],
    ['another global network', '+883510001234567'],
    ['personal numbers of no country', '+878101234567890'],
    ['premium of no country', '+979123456789'],
    ['an unassigned range', '+18815550000'],
    ['an emergency number', '+1911'],
    ['too short', '+1415555'],
    ['too long', '+141555526711111111'],
    ['much too long', `+1${' '.repeat(100)}4155552671`],
    ['another country code', '+999123456'],
  ])('refuses %s: %j', (_, text) => {
    expect(parsePhoneNumber(text)).toBeUndefined()
  })
})

describe('the digits of a number', () => {
  it.each([
    ['+14155552671', { callingCode: '1', national: '4155552671', trunk: '' }],
    ['+442079460958', { callingCode: '44', national: '2079460958', trunk: '0' }],
    ['+79123456789', { callingCode: '7', national: '9123456789', trunk: '8' }],
    ['+36301234567', { callingCode: '36', national: '301234567', trunk: '06' }],
    ['+390612345678', { callingCode: '39', national: '0612345678', trunk: '' }],
    ['+120255501234', { callingCode: '1', national: '20255501234', trunk: '' }],
    ['+99912345678', { callingCode: '', national: '99912345678' }],
  ])('of %s', (e164, parts) => expect(numberParts(e164)).toEqual(parts))
})
