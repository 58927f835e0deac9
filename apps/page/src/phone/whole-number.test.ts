import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, it } from 'vitest'
import { internationalDigits, replacedAtOnce, wholeNumber } from './whole-number.js'

describe('wholeNumber', () => {
  it.each([
    ['+447911123456', '+447911123456'],
    [' +44 7911 123456 ', '+447911123456'],
    ['00447911123456', '+447911123456'],
    ['011 44 7911 123456', '+447911123456'],
    ['0044 (0)7911 123456', '+447911123456'],
    ['+44 (0)7911\u00a0123456', '+447911123456'],
    ['\u202a+44 7911 123456\u202c', '+447911123456'],
    ['\uff0b44 7911 123456', '+447911123456'],
    ['+٤٤ ٧٩١١ ١٢٣٤٥٦', '+447911123456'],
    ['٠٠٤٤ ٧٩١١ ١٢٣٤٥٦', '+447911123456'],
    ['+1 (202) 555-0123', '+12025550123'],
    ['+1 202 555 0123 ext. 5', '+12025550123'],
    ['tel:+12025550123', '+12025550123'],
    ['(+49) 30 901820', '+4930901820'],
  ])('of %j is %j', (text, phone) => {
    expect(wholeNumber(text, 'US', metadata)).toBe(phone)
  })

  it.each(['', '2025550123', '07911 123456', '(202) 555-0123', '+', '+1', '+999 12345678', '00', 'hello'])(
    'of %j is none',
    (text) => {
      expect(wholeNumber(text, 'US', metadata)).toBeUndefined()
    },
  )

  it('knows what each country dials before a foreign number, and 00 besides', () => {
    expect(wholeNumber('0011 44 7911 123456', 'AU', metadata)).toBe('+447911123456')
    expect(wholeNumber('010 44 7911 123456', 'JP', metadata)).toBe('+447911123456')
    expect(wholeNumber('00 44 7911 123456', 'NG', metadata)).toBe('+447911123456')
  })
})

describe('internationalDigits', () => {
  it.each([
    ['+', 'US', ''],
    ['+4', 'US', '4'],
    ['00', 'US', ''],
    ['011', 'US', ''],
    ['004', 'IT', '4'],
    ['0011', 'AU', ''],
    ['0044', 'IT', '44'],
  ] as const)('of %j in %s are %j', (text, country, digits) => {
    expect(internationalDigits(text, country, metadata)).toBe(digits)
  })

  it.each([
    ['', 'US'],
    ['0', 'US'],
    ['01', 'US'],
    ['202+', 'US'],
    ['06 6982', 'IT'],
    ['011 2345 6789', 'AR'],
    // May be the beginning of 0011.
    ['001', 'AU'],
    // Ways to dial abroad that national numbers may begin with.
    ['020', 'LK'],
    ['9912', 'FI'],
    ['810', 'RU'],
    ['119', 'CU'],
  ] as const)('of %j in %s are none', (text, country) => {
    expect(internationalDigits(text, country, metadata)).toBeUndefined()
  })

  it('are none of any national number with a trunk 0', () => {
    for (const country of Object.keys(metadata.countries) as (keyof typeof metadata.countries)[])
      for (const text of ['020 7946 0018', '08 1234', '0'])
        expect(internationalDigits(text, country, metadata), country).toBeUndefined()
  })
})

describe('replacedAtOnce', () => {
  it('tells autofill from typing and deleting', () => {
    expect(replacedAtOnce({ data: null })).toBe(true)
    expect(replacedAtOnce({ inputType: 'insertReplacementText', data: '+447911123456' })).toBe(true)
    expect(replacedAtOnce({ inputType: 'insertText', data: '4' })).toBe(false)
    expect(replacedAtOnce({ inputType: 'insertCompositionText', data: '44' })).toBe(false)
    expect(replacedAtOnce({ inputType: 'deleteContentBackward', data: null })).toBe(false)
  })
})
