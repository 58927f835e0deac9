import { describe, expect, it } from 'vitest'
import { decodeMuLaw, encodeMuLaw } from './mu-law.js'

describe('mu-law', () => {
  it('gives the code words of G.711', () => {
    const samples = Int16Array.of(0, 8, -8, 1000, -1000, 32_767, -32_768)
    expect([...encodeMuLaw(samples)]).toEqual([0xff, 0xfe, 0x7e, 0xce, 0x4e, 0x80, 0x00])
  })

  it('decodes the extremes and both zeros', () => {
    expect([...decodeMuLaw(Uint8Array.of(0x80, 0x00, 0xff, 0x7f))]).toEqual([32_124, -32_124, 0, 0])
  })

  it('keeps every code word through a decode and an encode', () => {
    const words = Uint8Array.from({ length: 256 }, (_, word) => word).filter((word) => word !== 0x7f)
    expect(encodeMuLaw(decodeMuLaw(words))).toEqual(words)
  })

  it('keeps every sample within half a step', () => {
    const samples = Int16Array.from({ length: 65_536 }, (_, n) => n - 32_768)
    const decoded = decodeMuLaw(encodeMuLaw(samples))
    let worst = 0
    samples.forEach((sample, n) => {
      if (Math.abs(sample) > 32_635) return
      const allowed = 4 + Math.abs(sample) / 28
      worst = Math.max(worst, Math.abs(sample - (decoded[n] ?? 0)) / allowed)
    })
    expect(worst).toBeLessThanOrEqual(1)
  })
})
