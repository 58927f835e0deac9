import { expect, it } from 'vitest'
import { KEYS } from '../keys.js'
import type { WireRequest } from '../wire.js'
import { preyOf } from './attack.js'
import { comparedTimes } from './timing.js'

it('tells the medians of right and of wrong guesses apart, on a clock of its own', async () => {
  const asked: WireRequest[] = []
  let clock = 0
  const pairs = await comparedTimes('http://nowhere', preyOf(KEYS.publishable), {
    rounds: 3,
    now: () => clock,
    async send(request) {
      asked.push(request)
      // One answer that takes long is no median.
      const right = /hidden-lead|hush/i.test(request.path)
      clock += asked.length % 6 === 1 ? 1000 : right ? 5 : 2
    },
  })
  expect(pairs.map(({ right, wrong }) => [right, wrong])).toEqual(Array.from({ length: 5 }, () => [5, 2]))
  const timed = asked.slice(300)
  expect(timed).toHaveLength(30)
  const others = timed.filter(({ path }) => !/hidden-lead|hush/i.test(path))
  expect(others).toHaveLength(15)
  for (const { headers } of asked)
    expect(headers).toEqual(
      expect.arrayContaining([
        ['apikey', KEYS.publishable],
        ['x-visitor-slug', 'nobody-that-is-known'],
      ]),
    )
  expect(new Set(timed.map(({ path }) => path.length)).size).toBe(4)
})
