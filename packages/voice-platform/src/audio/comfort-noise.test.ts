import loadFvad from '@echogarden/fvad-wasm'
import { describe, expect, it } from 'vitest'
import { dbfs, peakOf } from '../testing/signals.js'
import { COMFORT_NOISE_DBFS, ComfortNoise } from './comfort-noise.js'
import { decodeMuLaw } from './mu-law.js'
import { Resampler } from './resampler.js'
import { VoiceActivityDetector } from './vad.js'

/** So many seconds, as the far end decodes them. */
function heard(seconds: number): Int16Array {
  const noise = new ComfortNoise()
  const samples = new Int16Array(8_000 * seconds)
  for (let at = 0; at < samples.length; at += 160) samples.set(decodeMuLaw(noise.coded(160)), at)
  return samples
}

describe('ComfortNoise', () => {
  it('has the promised level, also after mu-law, and no peaks', () => {
    const noise = heard(10)
    expect(Math.abs(dbfs(noise) - COMFORT_NOISE_DBFS)).toBeLessThan(1)
    expect(peakOf(noise)).toBeLessThan(50)
    for (let at = 0; at < noise.length; at += 160)
      expect(Math.abs(dbfs(noise.subarray(at, at + 160)) - COMFORT_NOISE_DBFS)).toBeLessThan(2)
  })

  it('has no rhythm: no two of its first hundred frames are alike', () => {
    const noise = new ComfortNoise()
    const frames = Array.from({ length: 100 }, () => noise.coded(160).join())
    expect(new Set(frames).size).toBe(100)
  })

  it('adds the same noise to what is there, without wrapping', () => {
    const samples = new Int16Array(160)
    new ComfortNoise().addTo(samples)
    expect(Math.abs(dbfs(samples) - COMFORT_NOISE_DBFS)).toBeLessThan(1.5)
    const loud = new Int16Array(160).fill(32_767)
    new ComfortNoise().addTo(loud)
    expect(Math.min(...loud)).toBeGreaterThan(32_700)
  })

  it('is no speech to our own detector', () => {
    const detector = new VoiceActivityDetector()
    const wide = new Resampler(8_000, 16_000).process(heard(10))
    let speech = 0
    for (let at = 0; at < wide.length; at += 320)
      if (detector.isSpeech(wide.subarray(at, at + 320))) speech += 1
    detector.close()
    expect(speech).toBe(0)
  })

  it.each([0, 1, 2, 3])(
    'is no speech to a far end’s detector (WebRTC’s, mode %i) once it knows the line, after 120 ms',
    async (mode) => {
      const fvad = await loadFvad()
      const handle = fvad._fvad_new()
      fvad._fvad_set_mode(handle, mode)
      fvad._fvad_set_sample_rate(handle, 8_000)
      const frame = fvad._malloc(320)
      const noise = heard(10)
      let speech = 0
      for (let at = 0; at < noise.length; at += 160) {
        fvad.HEAP16.set(noise.subarray(at, at + 160), frame >> 1)
        if (fvad._fvad_process(handle, frame, 160) === 1 && at >= 960) speech += 1
      }
      fvad._fvad_free(handle)
      fvad._free(frame)
      expect(speech).toBe(0)
    },
  )
})
