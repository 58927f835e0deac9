import { describe, expect, it } from 'vitest'
import { directionWords, placeWords, stateWords, whoseWords } from './call-line.js'

describe('the words of a call', () => {
  it('say whether they called us', () => {
    expect(placeWords({ direction: 'outbound', phone: '…71' })).toBe('…71')
    expect(placeWords({ direction: 'inbound', phone: '…71' })).toBe('…71, called us')
    expect(placeWords({ direction: null, phone: null })).toBe('Browser')
    expect(directionWords({ direction: 'inbound' })).toBe('They called us')
    expect(directionWords({ direction: null })).toBeNull()
  })

  it('never say that we dial a call that comes in', () => {
    expect(stateWords({ state: 'dialling', direction: 'inbound' })).toBe('Calling us')
    expect(stateWords({ state: 'dialling', direction: 'outbound' })).toBe('Dialling')
    expect(stateWords({ state: 'ended', direction: 'inbound' })).toBe('Ended')
  })

  it('name somebody where the caller is nobody’s visitor', () => {
    expect(whoseWords({ slug: '' })).toBe('Somebody')
    expect(whoseWords({ slug: 'acme' })).toBe('acme')
  })
})
