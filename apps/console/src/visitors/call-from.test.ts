import { describe, expect, it } from 'vitest'
import { BY_DEFAULT, callFromChoices } from './call-from.js'

const usual = { id: 'a', number: '+12025550100', name: null, isDefault: true }
const sales = { id: 'b', number: '+14155552671', name: 'Sales', isDefault: false }
const sip = { id: 'c', number: null, name: 'Desk', isDefault: false }

describe('what a visitor may be called from', () => {
  it('is the default, and each number', () => {
    expect(callFromChoices([usual, sales], sales)).toEqual([
      { value: BY_DEFAULT, label: 'Default number (+12025550100)' },
      { value: 'a', label: '+12025550100' },
      { value: 'b', label: '+14155552671 · Sales' },
    ])
  })

  it('is no choice where there is one number or none', () => {
    expect(callFromChoices([], null)).toEqual([])
    expect(callFromChoices([usual], null)).toEqual([])
    expect(callFromChoices([usual], usual)).toEqual([])
  })

  it('holds no address without digits, as it can not be chosen by them', () => {
    expect(callFromChoices([usual, sip], null)).toEqual([])
  })

  it('still shows a number that the platform has no more, so that it can be given up', () => {
    const gone = { id: 'gone', number: null, name: null, isDefault: false }
    expect(callFromChoices([usual], gone).map(({ value }) => value)).toEqual([BY_DEFAULT, 'a', 'gone'])
  })
})
