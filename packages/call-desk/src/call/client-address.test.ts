import { describe, expect, it } from 'vitest'
import { clientAt, NETWORKS_OF_ANYBODY, placeOf, readClientAddress } from './client-address.js'

describe('readClientAddress', () => {
  it.each([
    ['203.0.113.77', '203.0.113.77', '203.0.113.0/24'],
    [' 203.0.113.77 ', '203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.77', '203.0.113.0/24'],
    ['::ffff:cb00:714d', '203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2ff::1', '2001:db8:1:2ff::/64', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80::/64', 'fe80::/48'],
    ['::1', '::/64', '::/48'],
  ])('reads %s as %s in %s', (text, address, network) => {
    expect(readClientAddress(text)).toEqual({ address, network })
  })

  it.each([
    undefined,
    '',
    'unknown',
    'localhost',
    '203.0.113',
    '127.1',
    '2130706433',
    '0xcb00714d',
    '0313.0.0161.0115',
    '203.0.113.256',
    '203.0.113.77:443',
    '203.0.113.77, 198.51.100.1',
    '2001:db8:::1',
  ])('reads no address from %s', (text) => {
    expect(readClientAddress(text)).toBeUndefined()
  })
})

it.each([
  ['203.0.113.77', { address: '203.0.113.77', network: '203.0.113.0/24' }],
  ['unknown', { address: 'unknown', network: 'unknown' }],
])('places %s at %o', (text, place) => {
  expect(placeOf(text)).toEqual(place)
})

it('knows which networks tell nobody apart', () => {
  const own = [undefined, 'unknown', '127.0.0.1', '::ffff:127.0.0.1', '::1'].map(
    (text) => clientAt(text).network,
  )
  expect(NETWORKS_OF_ANYBODY).toEqual([...new Set(own)])
  for (const text of ['203.0.113.77', '10.0.0.1', '2001:db8::1'])
    expect(NETWORKS_OF_ANYBODY).not.toContain(clientAt(text).network)
})
