import { expect, it } from 'vitest'
import { isStorable, storable } from './storable.js'

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
