import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, expect, it } from 'vitest'
import { RefusedClients } from './refused-clients.js'

let clock: ManualClock
let clients: RefusedClients
const refuse = (address: string | undefined, times: number) => {
  for (let time = 0; time < times; time++) clients.add(address)
}

beforeEach(() => {
  clock = new ManualClock()
  clients = new RefusedClients(clock)
})

it('looks at each of the first twenty requests, then at one a second', () => {
  refuse('192.0.2.1', 19)
  expect(clients.has('192.0.2.1')).toBe(false)
  refuse('192.0.2.1', 1)
  expect(clients.has('192.0.2.1')).toBe(true)
  clock.advance(1_000)
  expect(clients.has('192.0.2.1')).toBe(false)
  refuse('192.0.2.1', 1)
  expect(clients.has('192.0.2.1')).toBe(true)
})

it('lets no other address, and nobody without one, pay for it', () => {
  refuse('192.0.2.1', 30)
  refuse(undefined, 30)
  expect([clients.has('192.0.2.2'), clients.has(undefined)]).toEqual([false, false])
})

it('forgets refusals that are a minute apart, and those before a call that may begin', () => {
  for (let time = 0; time < 40; time++) {
    refuse('192.0.2.1', 1)
    clock.advance(60_000)
  }
  refuse('192.0.2.2', 30)
  clients.remove('192.0.2.2')
  expect([clients.has('192.0.2.1'), clients.has('192.0.2.2')]).toEqual([false, false])
})

it('remembers ten thousand addresses', () => {
  refuse('192.0.2.1', 30)
  for (let place = 0; place < 10_000; place++) refuse(`2001:db8:0:${place}::`, 1)
  expect(clients.has('192.0.2.1')).toBe(false)
})
