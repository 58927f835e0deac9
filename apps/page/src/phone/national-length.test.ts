import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, it } from 'vitest'
import { isWithoutNumber } from './national-length.js'

describe('isWithoutNumber', () => {
  it.each([undefined, '', '+1', '+49', '+358', '+12', '+491'])('%j is no number', (phone) => {
    expect(isWithoutNumber(phone, metadata)).toBe(true)
  })

  it.each(['+122', '+4912', '+12025550123'])('%j is one', (phone) => {
    expect(isWithoutNumber(phone, metadata)).toBe(false)
  })
})
