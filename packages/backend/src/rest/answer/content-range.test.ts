import { expect, it } from 'vitest'
import { contentRange } from './content-range.js'

it.each([
  [0, 3, null, '0-2/*'],
  [2, 1, 3, '2-2/3'],
  [0, 0, null, '*/*'],
  [3, 0, 3, '*/3'],
])('from %i, %i rows of %s: %s', (offset, returned, total, header) => {
  expect(contentRange(offset, returned, total)).toBe(header)
})
