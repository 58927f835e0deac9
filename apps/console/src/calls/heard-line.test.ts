import { expect, it } from 'vitest'
import { heardLine } from './heard-line.js'

it('is the last line that has begun', () => {
  const lines = [{ seconds: 0.4 }, { seconds: null }, { seconds: 3 }]
  expect([0, 0.4, 2.9, 3, 60].map((seconds) => heardLine(lines, seconds))).toEqual([undefined, 0, 0, 2, 2])
  expect(heardLine([], 1)).toBeUndefined()
})
