import { afterEach, describe, expect, it } from 'vitest'
import { synthesize } from '../engines/flite/synthesize.js'
import { VoiceActivityDetector } from './vad.js'

let vad: VoiceActivityDetector | undefined
afterEach(() => vad?.close())

/** The part of the frames in which speech was found, 0 to 1. */
function activity(samples: Int16Array): number {
  vad = new VoiceActivityDetector()
  let voiced = 0
  let frames = 0
  for (let at = 0; at + 320 <= samples.length; at += 320, frames += 1)
    if (vad.isSpeech(samples.subarray(at, at + 320))) voiced += 1
  return voiced / frames
}

describe('VoiceActivityDetector', () => {
  it('finds speech, loud and soft', () => {
    const speech = synthesize('Hello there, I would like to know when you are open.')
    expect(activity(speech)).toBeGreaterThan(0.8)
    expect(activity(speech.map((sample) => sample / 8))).toBeGreaterThan(0.6)
  })

  it('finds none in silence and quiet noise', () => {
    expect(activity(new Int16Array(16_000))).toBe(0)
    let seed = 7
    const noise = new Int16Array(32_000).map(() => {
      seed = (seed * 48_271) % 2_147_483_647
      return (seed % 400) - 200
    })
    expect(activity(noise)).toBe(0)
  })

  it('takes what sounds like a voice for speech only above the energy floor', () => {
    const hum = (level: number) =>
      Int16Array.from(
        { length: 16_000 },
        (_, n) => level * Math.exp(-(n % 120) / 30) * Math.sin((n % 120) / 3.6),
      )
    expect(activity(hum(6000))).toBeGreaterThan(0.8)
    expect(activity(hum(250))).toBe(0)
  })

  it('refuses frames of another length', () => {
    vad = new VoiceActivityDetector()
    const detector = vad
    expect(() => detector.isSpeech(new Int16Array(160))).toThrow(RangeError)
  })

  it('hears nothing once it is closed', () => {
    const speech = synthesize('Hello.')
    vad = new VoiceActivityDetector()
    vad.close()
    vad.close()
    expect(vad.isSpeech(speech.subarray(3200, 3520))).toBe(false)
  })
})
