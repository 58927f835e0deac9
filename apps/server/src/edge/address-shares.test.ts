import { expect, it } from 'vitest'
import { AddressShares } from './address-shares.js'

it('gives each address so much at once, and again what it has given back', () => {
  const shares = new AddressShares({ most: 2 })
  const first = shares.take('203.0.113.7')
  expect(shares.take('203.0.113.7')).toBeDefined()
  expect(shares.take('203.0.113.7')).toBeUndefined()
  expect(shares.take('203.0.113.8')).toBeDefined()
  first?.()
  first?.()
  expect(shares.take('203.0.113.7')).toBeDefined()
  expect(shares.take('203.0.113.7')).toBeUndefined()
})

it('counts all addresses of an IPv6 line as one', () => {
  const shares = new AddressShares({ most: 1 })
  expect(shares.take('2001:db8:1:2::3')).toBeDefined()
  expect(shares.take('2001:db8:1:2:ffff::4')).toBeUndefined()
  expect(shares.take('2001:db8:1:3::3')).toBeDefined()
})

it.each([
  ['2001:db8:1:', '2001:db8:2::1'],
  ['203.0.113.', '203.0.114.1'],
])('gives the network %s five times as much as an address', (network, other) => {
  const shares = new AddressShares({ most: 2 })
  const addressOf = (host: number) => (network.includes(':') ? `${network}${host}::1` : `${network}${host}`)
  const taken = Array.from({ length: 10 }, (_, host) => shares.take(addressOf(host)))
  expect(taken).not.toContain(undefined)
  expect(shares.take(addressOf(10))).toBeUndefined()
  expect(shares.take(other)).toBeDefined()
  taken[0]?.()
  expect(shares.take(addressOf(10))).toBeDefined()
  expect(shares.take(addressOf(11))).toBeUndefined()
})

it('does not count this machine, nor an address that nobody knows', () => {
  const shares = new AddressShares({ most: 0 })
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', undefined])
    expect(shares.take(address)).toBeDefined()
  expect(shares.take('203.0.113.7')).toBeUndefined()
})
