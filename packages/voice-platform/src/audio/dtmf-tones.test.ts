import { describe, expect, it } from 'vitest'
import { amplitudeAt, dbfs, largestStep, peakOf } from '../testing/signals.js'
import { dtmfTones } from './dtmf-tones.js'
import { decodeMuLaw, encodeMuLaw } from './mu-law.js'
import { Resampler } from './resampler.js'

const FREQUENCIES = [697, 770, 852, 941, 1209, 1336, 1477, 1633]
const level = (amplitude: number) => 20 * Math.log10(amplitude / Math.SQRT2 / 32_768)

describe('dtmfTones', () => {
  it.each([
    ['1', 697, 1209],
    ['2', 697, 1336],
    ['3', 697, 1477],
    ['A', 697, 1633],
    ['4', 770, 1209],
    ['5', 770, 1336],
    ['6', 770, 1477],
    ['B', 770, 1633],
    ['7', 852, 1209],
    ['8', 852, 1336],
    ['9', 852, 1477],
    ['C', 852, 1633],
    ['*', 941, 1209],
    ['0', 941, 1336],
    ['#', 941, 1477],
    ['D', 941, 1633],
  ])('sounds %s as %i and %i Hz on a phone line, each at -10 dBFS, and no other', (key, row, column) => {
    const wire = encodeMuLaw(new Resampler(16_000, 8_000).process(dtmfTones(key)))
    const middle = decodeMuLaw(wire).subarray(80, 720)
    for (const hertz of FREQUENCIES) {
      const found = level(amplitudeAt(hertz, 8_000, middle))
      if (hertz === row || hertz === column) expect(found).toBeCloseTo(-10, 0)
      else expect(found).toBeLessThan(-30)
    }
  })

  it('sounds for 100 ms and pauses for 50, with edges that do not click, below full scale', () => {
    const two = dtmfTones('5D')
    expect(two).toHaveLength(2 * 150 * 16)
    expect(dbfs(two.subarray(80, 1_520))).toBeCloseTo(-7, 0)
    expect(peakOf(two.subarray(1_600, 2_400))).toBe(0)
    expect(two[0]).toBe(0)
    expect(two[1_599]).toBe(0)
    expect(peakOf(two)).toBeLessThan(30_000)
    expect(largestStep(two)).toBeLessThan(14_700 * 2 * Math.PI * ((941 + 1_633) / 16_000) * 1.02)
  })

  it.each(['', '12a', '1 2', 'E', 'w', '１'])('refuses %j', (keys) => {
    expect(() => dtmfTones(keys)).toThrow(RangeError)
  })
})
