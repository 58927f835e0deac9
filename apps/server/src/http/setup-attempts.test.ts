import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { SetupAttempts } from './setup-attempts.js'

const times = (count: number, attempts: SetupAttempts, address: string | undefined) =>
  Array.from({ length: count }, () => attempts.count(address)).at(-1)

it('lets an address try ten times in ten minutes', () => {
  const clock = new ManualClock(0)
  const attempts = new SetupAttempts(clock)
  expect(times(10, attempts, '192.0.2.1')).toBeUndefined()
  clock.advance(60_000)
  expect(attempts.count('192.0.2.1')).toBe(540)
  expect(attempts.count('192.0.2.2')).toBeUndefined()
  clock.advance(540_000)
  expect(attempts.count('192.0.2.1')).toBeUndefined()
})

it('counts the /64 of an IPv6 address as one, and all unknown ones', () => {
  const attempts = new SetupAttempts(new ManualClock(0))
  for (let count = 0; count < 10; count++) attempts.count(`2001:db8:1:2::${count}`)
  expect(attempts.count('2001:db8:1:2:ffff::1')).toBe(600)
  expect(attempts.count('2001:db8:1:3::1')).toBeUndefined()
  expect(times(11, attempts, undefined)).toBe(600)
})

it('keeps no more than ten thousand addresses', () => {
  const attempts = new SetupAttempts(new ManualClock(0))
  times(10, attempts, '192.0.2.1')
  for (let count = 0; count < 10_000; count++) attempts.count(`10.${count >> 8}.${count & 255}.1`)
  expect(attempts.count('192.0.2.1')).toBeUndefined()
})
