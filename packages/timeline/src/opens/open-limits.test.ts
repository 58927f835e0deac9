import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { OPEN_LIMITS, OpenLimits } from './open-limits.js'

let clock: ManualClock
let limits: OpenLimits
beforeEach(() => {
  clock = new ManualClock()
  limits = new OpenLimits(clock)
})
const times = (most: number, admits: (time: number) => boolean) =>
  Array.from({ length: most }, (_, time) => admits(time)).filter(Boolean).length
const far = (number: number) => ({ address: `far ${number}`, network: `far ${number}` })
const opener = (number: number) => ({ address: `198.51.${number >> 8}.${number & 255}`, network: 'near' })

describe('the limits of opens', () => {
  it('count so many of an address, and more when their time is over', () => {
    const ofOne = () => limits.admits({ address: '192.0.2.1', network: '192.0.2.0/24' })
    expect(times(400, ofOne)).toBe(300)
    clock.advance(OPEN_LIMITS.address.windowMs)
    expect(ofOne()).toBe(true)
  })

  it('hold no longer after a clock was ahead', () => {
    const ofOne = () => limits.admits({ address: '192.0.2.1', network: '192.0.2.0/24' })
    clock.step(86_400_000)
    expect(times(400, ofOne)).toBe(300)
    clock.step(-86_400_000)
    clock.advance(OPEN_LIMITS.address.windowMs)
    expect(ofOne()).toBe(true)
  })

  it('count so many of a network', () => {
    expect(times(3_500, (time) => limits.admits(opener(time)))).toBe(3_000)
    clock.advance(OPEN_LIMITS.all.windowMs)
    expect(limits.admits(opener(10_000))).toBe(false)
    expect(limits.admits({ address: 'another', network: 'far' })).toBe(true)
  })

  it('count so many of all that are somebody’s, without those that a slug may not have', () => {
    times(1_500, (time) => limits.admitsFor(far(time), 'greedy'))
    const ofMany = (time: number) => limits.admitsFor(far(time), `v${time % 100}`)
    expect(times(3_500, ofMany)).toBe(3_000 - 1_000)
    clock.advance(OPEN_LIMITS.all.windowMs)
    expect(times(100, ofMany)).toBe(100)
  })

  it('count so many lookups of all, without those that an address may not have', () => {
    times(10_000, () => limits.admits({ address: 'greedy', network: 'far' }))
    const ofMany = (time: number) => limits.admits({ address: `${time}`, network: `${time % 100}` })
    expect(times(31_000, ofMany)).toBe(30_000 - 300)
    expect(limits.admitsFor(opener(0), 'ada')).toBe(true)
    clock.advance(OPEN_LIMITS.lookups.windowMs)
    expect(times(100, ofMany)).toBe(100)
  })

  it('count so many of an address for a slug, and of a slug', () => {
    expect(times(40, () => limits.admitsFor(opener(0), 'ada'))).toBe(30)
    expect(limits.admitsFor(opener(0), 'bob')).toBe(true)
    expect(times(1_500, (time) => limits.admitsFor(opener(1 + time), 'ada'))).toBe(70)
    expect(times(1_500, (time) => limits.admitsFor(far(time), 'ada'))).toBe(900)
    clock.advance(OPEN_LIMITS.slug.windowMs)
    expect(limits.admitsFor(opener(0), 'ada')).toBe(true)
  })

  it('remember a bounded number of addresses, the latest ones', () => {
    for (let day = 0; day < 40; day++) {
      for (let time = 0; time < 1_500; time += 1)
        limits.admits({ address: `${day} ${time}`, network: `${day} ${time}` })
      clock.advance(OPEN_LIMITS.all.windowMs)
    }
    expect(limits.admits({ address: '39 1', network: '39 1' })).toBe(true)
  })
})
