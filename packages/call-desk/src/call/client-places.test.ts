import { expect, it } from 'vitest'
import { ClientPlaces, REQUESTS_IN_LINE } from './client-places.js'

const client = (network: number, place: number) => ({
  address: `10.0.${network}.${place}`,
  network: `${network}`,
})

it('gives an address three places, and one more when one of them is left', () => {
  const places = new ClientPlaces(REQUESTS_IN_LINE)
  const leaves = [1, 2, 3].map(() => places.take(client(1, 1)))
  expect(places.take(client(1, 1))).toBeUndefined()
  leaves[0]?.()
  leaves[0]?.()
  expect([places.take(client(1, 1)), places.take(client(1, 1))].map((leave) => leave !== undefined)).toEqual([
    true,
    false,
  ])
})

it('gives a network 24 places, of however many addresses, and takes none from another network', () => {
  const places = new ClientPlaces(REQUESTS_IN_LINE)
  const taken = Array.from({ length: 40 }, (_, place) => places.take(client(1, place)))
  expect(taken.filter((leave) => leave !== undefined)).toHaveLength(24)
  expect(places.take(client(2, 1))).toBeDefined()
  // Those that got no place keep none of their address either.
  for (const leave of taken) leave?.()
  for (const _ of [1, 2, 3]) expect(places.take(client(1, 39))).toBeDefined()
  expect(places.take(client(1, 39))).toBeUndefined()
})

it('counts nobody where no addresses are known', () => {
  const places = new ClientPlaces(REQUESTS_IN_LINE)
  expect(Array.from({ length: 100 }, () => places.take(undefined)).every(Boolean)).toBe(true)
})
