import { describe, expect, it } from 'vitest'
import { dbfs, largestStep, peakOf } from '../testing/signals.js'
import { decodeMuLaw } from './mu-law.js'
import { OFFICE_DBFS, OfficeSound } from './office-sound.js'

/** So many seconds, piece by piece. */
function heard(sound: OfficeSound, rate: number, seconds: number): Int16Array {
  const samples = new Int16Array(rate * seconds)
  for (let at = 0; at < samples.length; at += rate / 50) samples.set(sound.alone(rate / 50), at)
  return samples
}

describe('OfficeSound', () => {
  it.each([8_000, 16_000] as const)(
    'of %i Hz has its level, stays under speech, and has no click where it begins anew',
    (rate) => {
      const sound = heard(new OfficeSound(rate), rate, 17)
      expect(Math.abs(dbfs(sound) - OFFICE_DBFS)).toBeLessThan(2)
      expect(peakOf(sound)).toBeLessThan(2_000)
      const around = sound.subarray(8 * rate - 200, 8 * rate + 200)
      expect(largestStep(around)).toBeLessThanOrEqual(largestStep(sound.subarray(0, 8 * rate - 200)))
    },
  )

  it('goes on where it was, and begins anew after eight seconds', () => {
    const sound = heard(new OfficeSound(8_000), 8_000, 16)
    expect(sound.subarray(0, 64_000)).toEqual(sound.subarray(64_000))
    expect(sound.subarray(0, 160)).not.toEqual(sound.subarray(160, 320))
  })

  it('is the same as mu-law, and under what is there', () => {
    const coded = decodeMuLaw(new OfficeSound(8_000).coded(160))
    const alone = new OfficeSound(8_000).alone(160)
    const differences = Array.from(coded, (sample, n) => Math.abs(sample - (alone[n] ?? 0)))
    expect(Math.max(...differences)).toBeLessThan(40)
    const loud = new Int16Array(160).fill(32_700)
    new OfficeSound(8_000).addTo(loud)
    expect(Math.min(...loud)).toBeGreaterThan(30_000)
  })
})
