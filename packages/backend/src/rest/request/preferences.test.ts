import { describe, expect, it } from 'vitest'
import { appliedPreferences, parsePreferences } from './preferences.js'

describe('preferences', () => {
  it.each([
    [null, {}],
    ['return=representation', { return: 'representation' }],
    [
      'return=headers-only, resolution=ignore-duplicates',
      { return: 'headers-only', resolution: 'ignore-duplicates' },
    ],
    ['count=planned', { count: 'planned' }],
    ['Return=Minimal , count=exact,missing=null', { return: 'minimal', count: 'exact', missing: 'null' }],
    ['return=minimal, return=representation', { return: 'minimal' }],
    ['respond-async, ,wait=10, count=some, return', {}],
    ['handling=strict, max-affected=3', { handling: 'strict', maxAffected: 3 }],
    ['max-affected=3', {}],
    ['handling=lenient, handling=strict, max-affected=3', { handling: 'lenient' }],
    ['constructor=1, __proto__=x', {}],
  ])('%j', (header, preferences) => {
    expect(parsePreferences(header)).toEqual(preferences)
  })

  it.each([
    ['missing=default', 'PGRST127'],
    ['tx=rollback', 'PGRST127'],
    ['params=single-object', 'PGRST127'],
    ['timezone=UTC', 'PGRST127'],
    ['handling=strict, wait=10', 'PGRST122'],
    ['handling=strict, return=all', 'PGRST122'],
    ['handling=strict, max-affected=x', 'PGRST122'],
  ])('%j is refused with %s', (header, code) => {
    expect(() => parsePreferences(header)).toThrow(expect.objectContaining({ code }))
  })

  it('that are refused are all named', () => {
    expect(() => parsePreferences('a=b, handling=strict, c')).toThrow(
      expect.objectContaining({ details: 'Invalid preferences: a=b, c' }),
    )
  })
})

describe('the preferences that were applied', () => {
  const all =
    'max-affected=2, handling=strict, count=estimated, return=minimal, missing=null, resolution=merge-duplicates, tx=commit'
  it.each([
    ['read', 'count=exact, handling=strict'],
    ['insert', 'resolution=merge-duplicates, missing=null, return=minimal, count=exact, handling=strict'],
    ['update', 'missing=null, return=minimal, count=exact, handling=strict, max-affected=2'],
    ['delete', 'return=minimal, count=exact, handling=strict, max-affected=2'],
    ['call', 'count=exact, handling=strict, max-affected=2'],
  ] as const)('to %s', (action, header) => {
    expect(appliedPreferences(parsePreferences(all), action)).toBe(header)
  })
})
