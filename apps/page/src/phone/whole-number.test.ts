import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, it } from 'vitest'
import { replacedAtOnce, wholeNumber } from './whole-number.js'

describe('wholeNumber', () => {
  it.each([
    ['+447911123456', '+447911123456'],
    [' +44 7911 123456 ', '+447911123456'],
    ['00447911123456', '+447911123456'],
    ['0044 (0)7911 123456', '+447911123456'],
    ['+1 (202) 555-0123', '+12025550123'],
    ['tel:+12025550123', '+12025550123'],
    ['(+49) 30 901820', '+4930901820'],
  ])('of %j is %j', (text, phone) => {
    expect(wholeNumber(text, metadata)).toBe(phone)
  })

  it.each(['', '2025550123', '07911 123456', '(202) 555-0123', '+', '+1', '+999 12345678', 'hello'])(
    'of %j is none',
    (text) => {
      expect(wholeNumber(text, metadata)).toBeUndefined()
    },
  )
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
