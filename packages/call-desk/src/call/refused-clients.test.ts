import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, expect, it } from 'vitest'
import { readClientAddress } from './client-address.js'
import { RefusedClients } from './refused-clients.js'

let clock: ManualClock
let clients: RefusedClients
const has = (address: string) => clients.has(readClientAddress(address))
const refuse = (address: string, times: number, whose: 'address' | 'network' = 'address') => {
  for (let time = 0; time < times; time++) clients.add(readClientAddress(address), whose)
}

beforeEach(() => {
  clock = new ManualClock()
  clients = new RefusedClients(clock, { address: 20, network: 60 })
})

it('looks at each of the first twenty requests of an address, then at one a second', () => {
  refuse('192.0.2.1', 19)
  expect(has('192.0.2.1')).toBe(false)
  refuse('192.0.2.1', 1)
  expect(has('192.0.2.1')).toBe(true)
  clock.advance(1_000)
  expect(has('192.0.2.1')).toBe(false)
  refuse('192.0.2.1', 1)
  expect(has('192.0.2.1')).toBe(true)
})

it('looks at each of the first sixty requests of a network, then at one a second', () => {
  for (let host = 1; host < 60; host++) refuse(`192.0.2.${host}`, 1, 'network')
  expect(has('192.0.2.200')).toBe(false)
  refuse('192.0.2.60', 1, 'network')
  expect([has('192.0.2.200'), has('192.0.3.1')]).toEqual([true, false])
  clock.advance(1_000)
  expect(has('192.0.2.200')).toBe(false)
})

it('lets no other address, and nobody without one, pay for it', () => {
  refuse('192.0.2.1', 100)
  clients.add(undefined, 'network')
  expect([has('192.0.2.2'), clients.has(undefined)]).toEqual([false, false])
})

it('forgets refusals that are a minute apart, and those before a call that may begin', () => {
  for (let time = 0; time < 40; time++) {
    refuse('192.0.2.1', 1)
    clock.advance(60_000)
  }
  refuse('192.0.2.2', 100)
  refuse('192.0.2.2', 100, 'network')
  clients.remove(readClientAddress('192.0.2.2'))
  expect([has('192.0.2.1'), has('192.0.2.2'), has('192.0.2.3')]).toEqual([false, false, false])
})

it('remembers ten thousand addresses', () => {
  refuse('192.0.2.1', 30)
  for (let place = 0; place < 10_000; place++) refuse(`2001:db8:${place.toString(16)}::`, 1)
  expect(has('192.0.2.1')).toBe(false)
})
