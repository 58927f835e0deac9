import { expect, it } from 'vitest'
import { placeOf } from './networks.js'

it.each([
  ['an IPv4 address', '192.0.2.1', '192.0.2.1', true],
  ['an IPv4 address in IPv6 clothes', '::ffff:192.0.2.1', '192.0.2.1', true],
  ['another IPv4 address', '192.0.2.1', '192.0.2.2', false],
  ['a /64 of IPv6', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['another /64', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['an interface', 'fe80::1%eth0', 'fe80::1', true],
  ['what is no address', '', 'unknown', true],
])('%s: %s and %s are one place: %s', (_, one, another, same) => {
  expect(placeOf(one).address === placeOf(another).address).toBe(same)
})

it.each([
  ['192.0.2.1', '192.0.2.200', true],
  ['192.0.2.1', '192.0.3.1', false],
  ['2001:db8:1:2::1', '2001:db8:1:ffff::1', true],
  ['2001:db8:1::1', '2001:db8:2::1', false],
])('%s and %s are in one network: %s', (one, another, same) => {
  expect(placeOf(one).network === placeOf(another).network).toBe(same)
})

it('a foreign page is a place of its own beside its reader', () => {
  const page = placeOf('192.0.2.1', true)
  expect(page).toEqual(placeOf('::ffff:192.0.2.1', true))
  expect(page.address).not.toBe(placeOf('192.0.2.1').address)
  expect(page.network).not.toBe(placeOf('192.0.2.1').network)
})
