import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, it } from 'vitest'
import { callingCodeOf, isWithoutNumber, mainCountryOf, nationalDigits } from './calling-code.js'

describe('callingCodeOf', () => {
  it.each([
    ['+1', '1'],
    ['+12025550123', '1'],
    ['+49', '49'],
    ['+3581', '358'],
  ])('of %j is %s', (phone, code) => {
    expect(callingCodeOf(phone, metadata)).toBe(code)
  })

  it.each(['', '+', '+4', '+35', '+999', '12025550123'])('of %j cannot be told', (phone) => {
    expect(callingCodeOf(phone, metadata)).toBeUndefined()
  })

  it('relies on no calling code being the beginning of another', () => {
    const codes = Object.keys(metadata.country_calling_codes)
    expect(codes.length).toBeGreaterThan(200)
    expect(codes.filter((code) => codes.some((other) => other !== code && other.startsWith(code)))).toEqual(
      [],
    )
  })
})

describe('nationalDigits', () => {
  it.each([
    [undefined, ''],
    ['+49', ''],
    ['+4930901820', '30901820'],
    ['+12', '2'],
  ])('of %j are %j', (phone, digits) => {
    expect(nationalDigits(phone, metadata)).toBe(digits)
  })
})

describe('mainCountryOf', () => {
  it.each([
    ['1', 'US'],
    ['44', 'GB'],
    ['39', 'IT'],
    ['999', undefined],
  ])('%s is %s', (code, country) => {
    expect(mainCountryOf(code, metadata)).toBe(country)
  })
})

describe('isWithoutNumber', () => {
  it.each([undefined, '', '+1', '+49', '+358', '+12', '+491'])('%j is no number', (phone) => {
    expect(isWithoutNumber(phone, metadata)).toBe(true)
  })

  it.each(['+122', '+4912', '+12025550123'])('%j is one', (phone) => {
    expect(isWithoutNumber(phone, metadata)).toBe(false)
  })
})
