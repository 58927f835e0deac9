import { describe, expect, it } from 'vitest'
import { mayRing, zonesOf } from './quiet-hours.js'

const hours = { from: 9, to: 20 }
const at = (time: string) => new Date(`2026-01-15T${time}Z`)

describe('mayRing', () => {
  it.each([
    ['16:59:59.999', false],
    ['17:00', true],
    ['23:00', true],
    ['03:59:59.999', true],
    ['04:00', false],
    ['09:00', false],
  ])('in Los Angeles at %s UTC: %s', (time, rings) => {
    expect(mayRing(['America/Los_Angeles'], at(time), hours)).toBe(rings)
  })

  it('follows the zone into summer time', () => {
    expect(mayRing(['Europe/London'], new Date('2026-07-15T08:00Z'), hours)).toBe(true)
    expect(mayRing(['Europe/London'], new Date('2026-01-15T08:00Z'), hours)).toBe(false)
  })

  it('knows midnight as hour 0', () => {
    expect(mayRing(['UTC'], at('00:30'), { from: 0, to: 1 })).toBe(true)
    expect(mayRing(['UTC'], at('00:30'), { from: 1, to: 24 })).toBe(false)
  })

  it('asks for the hour inside in all zones', () => {
    const zones = ['America/New_York', 'America/Los_Angeles']
    expect(mayRing(zones, at('15:00'), hours)).toBe(false)
    expect(mayRing(zones, at('17:00'), hours)).toBe(true)
    expect(mayRing(zones, at('01:00'), hours)).toBe(false)
  })

  it('refuses where no zone is known, or one does not exist', () => {
    expect(mayRing([], at('17:00'), { from: 0, to: 24 })).toBe(false)
    expect(mayRing(['America/Nowhere'], at('17:00'), { from: 0, to: 24 })).toBe(false)
  })
})

describe('zonesOf', () => {
  it.each([
    ['+14155552671', ['America/Los_Angeles']],
    ['+12125550101', ['America/New_York']],
    ['+442079460958', ['Europe/London']],
  ])('%s', async (phone, zones) => {
    expect(await zonesOf(phone)).toEqual(zones)
    expect(await zonesOf(phone)).toEqual(zones)
  })

  it('tells numbers apart that share their beginning', async () => {
    expect(await zonesOf('+12045550101')).toEqual(['America/Winnipeg'])
    expect(await zonesOf('+12055550101')).toEqual(['America/Chicago'])
  })

  it('names all zones where only the country code is known', async () => {
    expect((await zonesOf('+18002345678')).length).toBeGreaterThan(10)
  })

  it('knows none of what is no number', async () => {
    expect(await zonesOf('+999')).toEqual([])
  })
})
