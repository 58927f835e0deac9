import { expect, it } from 'vitest'
import { isStorable, storable, unstorablePlace } from './storable.js'

it.each([
  ['', true, ''],
  ['Zoë 😀', true, 'Zoë 😀'],
  ['a\0b\0', false, 'ab'],
  ['a\ud800b', false, 'ab'],
  ['\udc00\ud800', false, ''],
])('%j can be stored: %s', (text, can, rest) => {
  // Twice: a search remembers no place.
  expect([isStorable(text), isStorable(text), storable(text)]).toEqual([can, can, rest])
})

it.each([
  [{ a: ['b', { c: 'd' }], e: null, f: 1 }, undefined],
  ['a\0', ''],
  [{ a: ['b', { c: 'd\ud800' }], e: '\0' }, 'a.1.c'],
  [{ a: { 'b\0': 1 } }, 'a'],
  [{ a: ['b', 'c\0', ['d\0']] }, 'a.1'],
])('finds in %j what cannot be stored: %s', (value, place) => {
  expect(unstorablePlace(value)).toBe(place)
})

it('looks into the deepest values', () => {
  expect(unstorablePlace(JSON.parse(`${'['.repeat(5_000)}"\\u0000"${']'.repeat(5_000)}`))).toMatch(
    /^0\.0.*\.0$/,
  )
})
