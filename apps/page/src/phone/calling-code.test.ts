import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, it } from 'vitest'
import { isWithoutNumber } from './calling-code.js'

describe('isWithoutNumber', () => {
  it.each([undefined, '', '+1', '+49', '+358'])('%j is no number', (phone) => {
    expect(isWithoutNumber(phone, metadata)).toBe(true)
  })

  it.each(['+12', '+491', '+12025550123'])('%j is one, however short', (phone) => {
    expect(isWithoutNumber(phone, metadata)).toBe(false)
  })
})
