import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { AddressTries } from './address-tries.js'

const opened = (clock = new ManualClock(0)) => new AddressTries({ most: 10, windowMs: 600_000, clock })

/** After how many seconds to try again; undefined where it was counted. */
function waitOf(tries: AddressTries, address: string | undefined, count = 1): unknown {
  try {
    for (let done = 0; done < count; done++) tries.count(address)
    return undefined
  } catch (error) {
    return Object(error).waitSeconds
  }
}

it('lets an address try so often in so long', () => {
  const clock = new ManualClock(0)
  const tries = opened(clock)
  expect(waitOf(tries, '192.0.2.1', 10)).toBeUndefined()
  clock.advance(60_000)
  expect(waitOf(tries, '192.0.2.1')).toBe(540)
  expect(() => tries.count('192.0.2.1')).toThrow('Too many tries: try again in 540 seconds')
  expect(waitOf(tries, '192.0.2.2')).toBeUndefined()
  clock.advance(540_000)
  expect(waitOf(tries, '192.0.2.1')).toBeUndefined()
})

it('counts the /64 of an IPv6 address as one, and all unknown ones', () => {
  const tries = opened()
  for (let count = 0; count < 10; count++) tries.count(`2001:db8:1:2::${count}`)
  expect(waitOf(tries, '2001:db8:1:2:ffff::1')).toBe(600)
  expect(waitOf(tries, '2001:db8:1:3::1')).toBeUndefined()
  expect(waitOf(tries, undefined, 11)).toBe(600)
})

it('keeps no more than ten thousand addresses', () => {
  const tries = opened()
  waitOf(tries, '192.0.2.1', 10)
  for (let count = 0; count < 10_000; count++) tries.count(`10.${count >> 8}.${count & 255}.1`)
  expect(waitOf(tries, '192.0.2.1')).toBeUndefined()
})

it('keeps nobody out for longer after a clock was ahead', () => {
  const clock = new ManualClock(0)
  const tries = opened(clock)
  clock.step(86_400_000)
  expect(waitOf(tries, '192.0.2.1', 11)).toBe(600)
  clock.step(-86_400_000)
  clock.advance(600_000)
  expect(waitOf(tries, '192.0.2.1')).toBeUndefined()
})
