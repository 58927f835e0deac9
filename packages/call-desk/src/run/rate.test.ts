import { expect, it } from 'vitest'
import { Rate } from './rate.js'

it('lets each client do so much in a minute, and again in the next', () => {
  let now = 0
  const rate = new Rate(2, () => now)
  const done = (client: string | undefined) => [1, 2, 3].map(() => rate.count(client))
  expect(done('a')).toEqual([true, true, false])
  expect(done('b')).toEqual([true, true, false])
  expect(done(undefined)).toEqual([true, true, true])
  now = 59_999
  expect(rate.count('a')).toBe(false)
  now = 60_000
  expect(done('a')).toEqual([true, true, false])
})
