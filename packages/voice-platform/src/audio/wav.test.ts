import { describe, expect, it } from 'vitest'
import { readWav, wavOf } from './wav.js'

const samples = Int16Array.of(0, 1, -1, 32_767, -32_768)

describe('WAV files', () => {
  it('hold the samples and their rate', () => {
    expect(readWav(wavOf({ samples, sampleRate: 22_050 }))).toEqual({ samples, sampleRate: 22_050 })
  })

  it('have the header that other programs expect', () => {
    const bytes = Buffer.from(wavOf({ samples, sampleRate: 16_000 }))
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
    expect(bytes.readUInt32LE(28)).toBe(32_000)
    expect(bytes.readUInt32LE(40)).toBe(10)
  })

  it('are read across chunks of other kinds, and when the data is cut short', () => {
    const file = Buffer.from(wavOf({ samples, sampleRate: 8_000 }))
    const list = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')])
    const longer = Buffer.concat([file.subarray(0, 36), list, file.subarray(36, -3)])
    expect(readWav(longer)).toEqual({ samples: samples.slice(0, 3), sampleRate: 8_000 })
  })

  it('refuse what they cannot read', () => {
    expect(() => readWav(Buffer.from('ID3 something else'))).toThrow('no WAV file')
    const stereo = wavOf({ samples, sampleRate: 8_000 })
    stereo[22] = 2
    expect(() => readWav(stereo)).toThrow('mono')
    expect(() => readWav(wavOf({ samples, sampleRate: 8_000 }).subarray(0, 20))).toThrow('no format')
  })
})
