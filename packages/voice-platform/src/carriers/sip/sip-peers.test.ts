import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { SipPeers } from './sip-peers.js'

const TRUNK = '192.0.2.1'

/** A trunk of which so many messages come at once; tells how many of them are read. */
function setUp() {
  const clock = new ManualClock()
  const peers = new SipPeers(clock)
  peers.know(TRUNK)
  const read = (count: number, method: string | undefined, callId: string): number => {
    let times = 0
    for (let n = 0; n < count; n += 1) if (peers.spend(TRUNK, () => ({ method, callId }))) times += 1
    return times
  }
  return { clock, peers, read }
}

it('reads a little of one call, whatever comes in it, and the calls of others meanwhile', () => {
  const { clock, peers, read } = setUp()
  peers.stand('flood')
  expect(read(1_500, 'INFO', 'flood')).toBe(40)
  expect(read(1_500, 'OPTIONS', 'flood')).toBe(0)
  expect(read(1_500, undefined, 'flood')).toBe(0)
  expect(read(1_500, 'ACK', 'flood')).toBe(10)
  expect(read(20, 'INVITE', 'honest')).toBe(20)
  clock.advance(1_000)
  expect(read(1_500, 'INFO', 'flood')).toBe(20)
  expect(read(1_500, 'INVITE', 'flood')).toBe(2)
})

it('reads the keys of a fast typist', () => {
  const { clock, peers, read } = setUp()
  peers.stand('typist')
  for (let second = 0; second < 30; second += 1) {
    expect(read(15, 'INFO', 'typist')).toBe(15)
    clock.advance(1_000)
  }
})

it.each([
  ['requests in calls that there are not', 'INFO', 100],
  ['answers to requests that there are not', undefined, 100],
  ['ends of calls that there are not', 'BYE', 150],
])('leaves to calls that begin and end what %s may not have', (_what, method, most) => {
  const { peers, read } = setUp()
  expect(read(1_500, method, 'made-up')).toBe(most)
  peers.stand('honest')
  expect(read(25, 'INVITE', 'new')).toBe(25)
  expect(read(2, 'ACK', 'honest')).toBe(2)
  expect(read(1, 'BYE', 'honest')).toBe(1)
})

it('leaves to the ends of calls what made-up calls may not have', () => {
  const { peers, read } = setUp()
  expect(read(1_500, 'INVITE', 'made-up')).toBe(175)
  peers.stand('honest')
  expect(read(1, 'ACK', 'honest')).toBe(1)
  expect(read(1, 'BYE', 'honest')).toBe(1)
})

it('gives a call its budget once, however many parts of it stand, and forgets it after the last', () => {
  const { peers, read } = setUp()
  const [leave, leaveToo] = [peers.stand('call'), peers.stand('call')]
  expect(read(100, 'INFO', 'call')).toBe(40)
  leave()
  leave()
  expect(read(100, 'INFO', 'call')).toBe(0)
  leaveToo()
  expect(read(10, 'INFO', 'call')).toBe(10)
})
