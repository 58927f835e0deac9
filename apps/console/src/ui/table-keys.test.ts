import { expect, it } from 'vitest'
import { rowAfter } from './table-keys.js'

it.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 49, 49],
  ['ArrowUp', 0, 0],
  ['ArrowUp', 7, 6],
  ['PageDown', 45, 49],
  ['PageUp', 4, 0],
  ['Home', 30, 0],
  ['End', 30, 49],
  ['Enter', 30, undefined],
])('%s leads from row %i of 50 to row %s', (key, from, to) => expect(rowAfter(key, from, 50)).toBe(to))
