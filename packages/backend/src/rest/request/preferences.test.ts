import { describe, expect, it } from 'vitest'
import { parsePreferences } from './preferences.js'

describe('preferences', () => {
  it.each([
    [null, { return: 'minimal', counted: false, applied: [] }],
    [
      'return=representation',
      { return: 'representation', counted: false, applied: ['return=representation'] },
    ],
    ['count=planned', { return: 'minimal', counted: true, applied: ['count=exact'] }],
    [
      'Return=Minimal , count=exact,missing=null',
      { return: 'minimal', counted: true, applied: ['return=minimal', 'count=exact'] },
    ],
    ['respond-async, ,wait=10', { return: 'minimal', counted: false, applied: [] }],
  ])('%j', (header, preferences) => {
    expect(parsePreferences(header)).toEqual(preferences)
  })

  it.each([
    ['return=headers-only', 'PGRST127'],
    ['resolution=ignore-duplicates', 'PGRST127'],
    ['missing=default', 'PGRST127'],
    ['tx=rollback', 'PGRST127'],
    ['handling=strict, wait=10', 'PGRST122'],
  ])('%j is refused with %s', (header, code) => {
    expect(() => parsePreferences(header)).toThrow(expect.objectContaining({ code }))
  })
})
