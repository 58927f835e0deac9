import { describe, expect, it } from 'vitest'
import { CHUNK_SAMPLES, FRAME_MS, FRAME_SAMPLES, MAX_AUDIO_BYTES, SAMPLE_RATE } from './audio-format.js'
import { bytesOf, levelOf, samplesOf } from './pcm.js'

describe('samples and bytes', () => {
  it('are little-endian on the wire', () => {
    expect([...bytesOf(Int16Array.of(1, -2, 32_767))]).toEqual([1, 0, 0xfe, 0xff, 0xff, 0x7f])
    expect(samplesOf(Uint8Array.of(1, 0, 0xfe, 0xff))).toEqual(Int16Array.of(1, -2))
  })

  it('come back as they were, from a buffer or from a part of one', () => {
    const samples = Int16Array.from({ length: FRAME_SAMPLES }, (_, index) => index * 50)
    expect(samplesOf(bytesOf(samples).slice().buffer)).toEqual(samples)
    // A frame of a socket may begin at an odd byte of a larger buffer.
    const pool = new Uint8Array(samples.byteLength + 3)
    pool.set(bytesOf(samples), 1)
    expect(samplesOf(pool.subarray(1, 1 + samples.byteLength))).toEqual(samples)
  })

  it('lose an odd byte at the end', () => {
    expect(samplesOf(Uint8Array.of(1, 0, 9))).toEqual(Int16Array.of(1))
    expect(samplesOf(new Uint8Array())).toEqual(new Int16Array())
  })

  it('are copied when they are read, and shared when they are written', () => {
    const bytes = Uint8Array.of(1, 0)
    const samples = samplesOf(bytes)
    bytes[0] = 9
    expect(samples).toEqual(Int16Array.of(1))
    bytesOf(samples)[0] = 7
    expect(samples).toEqual(Int16Array.of(7))
  })
})

describe('the level of samples', () => {
  it('is their root mean square as a part of full scale', () => {
    const sine = Int16Array.from({ length: SAMPLE_RATE }, (_, index) =>
      Math.round(16_384 * Math.sin((2 * Math.PI * 1000 * index) / SAMPLE_RATE)),
    )
    expect(levelOf(sine)).toBeCloseTo(0.5 / Math.SQRT2, 4)
    expect(levelOf(Int16Array.of(-32_768, -32_768))).toBe(1)
  })

  it('is 0 for silence and for nothing', () => {
    expect(levelOf(new Int16Array(320))).toBe(0)
    expect(levelOf(new Int16Array())).toBe(0)
  })
})

it('fits its frames', () => {
  expect(FRAME_SAMPLES / SAMPLE_RATE).toBe(FRAME_MS / 1000)
  expect(CHUNK_SAMPLES * 2).toBeLessThan(MAX_AUDIO_BYTES)
})
