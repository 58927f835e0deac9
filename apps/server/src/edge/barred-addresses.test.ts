import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { BarredAddresses } from './barred-addresses.js'

let clock: ManualClock
let barred: BarredAddresses

beforeEach(() => {
  clock = new ManualClock()
  barred = new BarredAddresses({ clock, most: 5, isExempt: (address) => address === '127.0.0.1' })
})

const cut = (times: number, address: string | undefined) => {
  for (let cuts = 0; cuts < times; cuts++) barred.cut(address)
}

describe('an address', () => {
  it('is barred for three seconds after five cuts, and its neighbours are not', () => {
    cut(4, '203.0.113.7')
    expect(barred.isBarred('203.0.113.7')).toBe(false)
    cut(1, '203.0.113.7')
    expect([barred.isBarred('203.0.113.7'), barred.isBarred('203.0.113.8')]).toEqual([true, false])
    clock.advance(3_000)
    expect(barred.isBarred('203.0.113.7')).toBe(false)
    cut(4, '203.0.113.7')
    expect(barred.isBarred('203.0.113.7')).toBe(false)
    cut(1, '203.0.113.7')
    expect(barred.isBarred('203.0.113.7')).toBe(true)
  })

  it('is forgiven cuts that are ten seconds old', () => {
    cut(4, '203.0.113.7')
    clock.advance(10_000)
    cut(4, '203.0.113.7')
    expect(barred.isBarred('203.0.113.7')).toBe(false)
  })

  it('of IPv6 is its /64', () => {
    cut(5, '2001:db8::1')
    expect([barred.isBarred('2001:db8::2'), barred.isBarred('2001:db8:0:1::1')]).toEqual([true, false])
  })

  it('is never barred where it is exempt, or unknown', () => {
    cut(5, '127.0.0.1')
    cut(5, undefined)
    expect([barred.isBarred('127.0.0.1'), barred.isBarred(undefined)]).toEqual([false, false])
  })

  it('is one of a thousand that are remembered', () => {
    cut(5, '203.0.113.7')
    for (let host = 0; host < 1_000; host++) cut(1, `10.0.${host >> 8}.${host & 255}`)
    expect(barred.isBarred('203.0.113.7')).toBe(false)
  })
})
