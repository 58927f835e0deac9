import { describe, expect, it } from 'vitest'
import { Resampler } from './resampler.js'

const tone = (hertz: number, rate: number, seconds: number, amplitude = 16_000) =>
  Int16Array.from({ length: rate * seconds }, (_, n) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hertz * n) / rate)),
  )

/** Strength of the part of the samples that is not the tone, in dB below the tone. */
function distortion(samples: Int16Array, hertz: number, rate: number): number {
  const middle = samples.subarray(samples.length >> 2, samples.length - (samples.length >> 2))
  let sine = 0
  let cosine = 0
  middle.forEach((sample, n) => {
    sine += (2 / middle.length) * sample * Math.sin((2 * Math.PI * hertz * n) / rate)
    cosine += (2 / middle.length) * sample * Math.cos((2 * Math.PI * hertz * n) / rate)
  })
  let error = 0
  let signal = 0
  middle.forEach((sample, n) => {
    const angle = (2 * Math.PI * hertz * n) / rate
    const wanted = sine * Math.sin(angle) + cosine * Math.cos(angle)
    error += (sample - wanted) ** 2
    signal += wanted ** 2
  })
  return 10 * Math.log10(signal / error)
}

const level = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

describe('Resampler', () => {
  it.each([
    [8_000, 16_000],
    [16_000, 8_000],
    [24_000, 16_000],
    [48_000, 16_000],
    [44_100, 16_000],
  ])('keeps a 1 kHz tone clean and at its level from %i to %i', (from, to) => {
    const output = new Resampler(from, to).process(tone(1000, from, 1))
    expect(output.length).toBe(to)
    expect(distortion(output, 1000, to)).toBeGreaterThan(70)
    expect(level(output.subarray(1000, to - 1000))).toBeCloseTo(16_000 / Math.SQRT2, -2)
  })

  it('removes what the lower rate cannot carry', () => {
    const output = new Resampler(16_000, 8_000).process(tone(5_500, 16_000, 1))
    expect(level(output.subarray(200))).toBeLessThan(8)
  })

  it('gives the same samples whatever the size of the pieces', () => {
    const input = tone(700, 24_000, 0.5)
    const whole = new Resampler(24_000, 16_000).process(input)
    const resampler = new Resampler(24_000, 16_000)
    const pieces: number[] = []
    for (let start = 0, size = 1; start < input.length; start += size, size = (size * 7) % 113)
      pieces.push(...resampler.process(input.subarray(start, start + size)))
    expect(Int16Array.from(pieces)).toEqual(whole)
  })

  it('gives back the end of the stream', () => {
    const resampler = new Resampler(8_000, 16_000)
    const impulse = new Int16Array(100)
    impulse[99] = 20_000
    const before = level(resampler.process(impulse))
    expect(before).toBeLessThan(200)
    expect(Math.max(...resampler.flush())).toBeGreaterThan(15_000)
  })

  it('clips instead of wrapping', () => {
    const square = Int16Array.from({ length: 1600 }, (_, n) => (n % 40 < 20 ? 32_767 : -32_768))
    const output = new Resampler(16_000, 8_000).process(square).subarray(20)
    expect(output.some((sample) => sample === 32_767)).toBe(true)
    output.forEach((sample, n) => {
      const middleOfHalf = n % 20 >= 3 && n % 20 < 7
      if (middleOfHalf) expect(Math.abs(sample)).toBeGreaterThan(20_000)
    })
  })

  it('passes equal rates through', () => {
    const input = tone(500, 16_000, 0.1)
    expect(new Resampler(16_000, 16_000).process(input)).toBe(input)
    expect(new Resampler(16_000, 16_000).flush()).toHaveLength(0)
  })

  it('refuses rates that it cannot serve', () => {
    expect(() => new Resampler(0, 16_000)).toThrow(RangeError)
    expect(() => new Resampler(16_000, 22_050.5)).toThrow(RangeError)
    expect(() => new Resampler(16_000, 15_999)).toThrow(RangeError)
  })
})
