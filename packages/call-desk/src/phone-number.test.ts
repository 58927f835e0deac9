import { describe, expect, it } from 'vitest'
import { parsePhoneNumber } from './phone-number.js'

describe('parsePhoneNumber', () => {
  it.each([
    ['+14155552671', '+14155552671'],
    [' +1 (415) 555-2671 ', '+14155552671'],
    ['+12025550101', '+12025550101'],
    ['+12025550102', '+12025550102'],
    ['+12025550103', '+12025550103'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+33 6 12 34 56 78', '+33612345678'],
  ])('reads %j as %s', (text, number) => {
    expect(parsePhoneNumber(text)).toBe(number)
  })

  it.each([
    ['nothing', ''],
    ['no country code', '4155552671'],
    ['words around it', 'call +1 415 555 2671 now'],
    ['an extension', '+14155552671;ext=123'],
    ['an extension in words', '+1 415 555 2671 x123'],
    ['a tel: address', 'tel:+14155552671'],
    ['letters', '+1800FLOWERS'],
    ['a satellite phone, of no country', '+881612345678'],
    ['an unassigned range', '+18815550000'],
    ['too short', '+1415555'],
    ['too long', '+141555526711111111'],
    ['another country code', '+999123456'],
  ])('refuses %s: %j', (_, text) => {
    expect(parsePhoneNumber(text)).toBeUndefined()
  })
})
