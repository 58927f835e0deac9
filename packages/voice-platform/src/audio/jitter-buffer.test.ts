import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { largestStep, sine } from '../testing/signals.js'
import { JitterBuffer } from './jitter-buffer.js'

const FRAME = 160
/** Its frames begin in the middle of a wave, where a hole would click. */
const SPEECH = sine(200, 8_000, 2_010, 12_000).slice(7)
/** 200 Hz moves by so much at most; concealed sound turns round, which doubles it. */
const OWN_STEP = 12_000 * ((2 * Math.PI * 200) / 8_000) * 2

function make() {
  const clock = new ManualClock()
  const heard: number[] = []
  const buffer = new JitterBuffer({ clock, deliver: (samples) => void heard.push(...samples) })
  /** Frames by number. */
  const push = (...numbers: number[]) => {
    for (const n of numbers)
      buffer.push(SPEECH.slice(n * FRAME, (n + 1) * FRAME), { position: n * FRAME, sequence: n + 1 })
  }
  return { clock, buffer, heard, push, samples: () => Int16Array.from(heard) }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)
const part = (from: number, to: number) => SPEECH.slice(from * FRAME, to * FRAME)

describe('JitterBuffer', () => {
  it('passes frames in their turn at once', () => {
    const { push, heard, clock, samples } = make()
    push(0)
    expect(heard).toHaveLength(FRAME)
    push(...range(1, 20))
    expect(samples()).toEqual(part(0, 20))
    expect(clock.pending).toBe(0)
  })

  it('takes a burst of frames that came late, whole', () => {
    const { push, clock, samples } = make()
    push(...range(0, 5))
    clock.advance(1_500)
    push(...range(5, 80))
    expect(samples()).toEqual(part(0, 80))
  })

  it('puts frames into their order', () => {
    const { push, clock, samples } = make()
    push(0, 2, 1, 4, 5, 3, 6)
    expect(samples()).toEqual(part(0, 7))
    expect(clock.pending).toBe(0)
  })

  it('drops what comes twice, also while it waits', () => {
    const { push, samples } = make()
    push(0, 0, 1, 3, 3, 1, 2, 2, 3, 4)
    expect(samples()).toEqual(part(0, 5))
  })

  it('waits 60 ms for a missing frame, then puts sound of its length in its place, without a step', () => {
    const { push, clock, heard, samples } = make()
    push(...range(0, 10), 11)
    clock.advance(40)
    push(12)
    expect(heard).toHaveLength(10 * FRAME)
    clock.advance(20)
    expect(heard).toHaveLength(13 * FRAME)
    push(...range(13, 20))
    expect(samples()).toHaveLength(20 * FRAME)
    expect(samples().slice(0, 10 * FRAME)).toEqual(part(0, 10))
    expect(samples().slice(11 * FRAME + 40)).toEqual(part(11, 20).slice(40))
    expect(largestStep(samples())).toBeLessThan(OWN_STEP)
    const hole = samples().fill(0, 10 * FRAME, 11 * FRAME)
    expect(largestStep(hole)).toBeGreaterThan(2 * OWN_STEP)
  })

  it('takes a frame that comes within the wait', () => {
    const { push, clock, samples } = make()
    push(0, 2)
    clock.advance(59)
    push(1, 3)
    clock.advance(100)
    expect(samples()).toEqual(part(0, 4))
  })

  it('drops a frame that comes after its place was filled', () => {
    const { push, clock, heard } = make()
    push(...range(0, 5), 6)
    clock.advance(60)
    push(5, 7)
    expect(heard).toHaveLength(8 * FRAME)
  })

  it('fills several gaps, each with its own length, and conceals with silence what lasts', () => {
    const { push, clock, samples } = make()
    push(...range(0, 10), 20, 23)
    clock.advance(200)
    push(24)
    expect(samples()).toHaveLength(25 * FRAME)
    expect(
      samples()
        .slice(12 * FRAME, 20 * FRAME)
        .every((sample) => sample === 0),
    ).toBe(true)
    expect(
      samples()
        .slice(10 * FRAME, 11 * FRAME)
        .some((sample) => sample !== 0),
    ).toBe(true)
    expect(largestStep(samples())).toBeLessThan(OWN_STEP)
    expect(clock.pending).toBe(0)
  })

  it('does not wait where the sender only paused', () => {
    const { buffer, heard, clock } = make()
    buffer.push(SPEECH.slice(0, FRAME), { position: 0, sequence: 1 })
    buffer.push(SPEECH.slice(0, FRAME), { position: 10 * FRAME, sequence: 2 })
    expect(heard).toHaveLength(11 * FRAME)
    expect(clock.pending).toBe(0)
  })

  it('fills one second at most, and goes on from there', () => {
    const { buffer, heard, clock } = make()
    buffer.push(SPEECH.slice(0, FRAME), { position: 0 })
    buffer.push(SPEECH.slice(0, FRAME), { position: 8_000 * 3_600 })
    clock.advance(60)
    expect(heard).toHaveLength(8_000 + 2 * FRAME)
    buffer.push(SPEECH.slice(0, FRAME), { position: 8_000 * 3_600 + FRAME })
    expect(heard).toHaveLength(8_000 + 3 * FRAME)
  })

  it('holds half a second at most behind a missing frame', () => {
    const { push, heard, clock } = make()
    push(0, ...range(2, 27))
    expect(heard).toHaveLength(FRAME)
    push(27)
    expect(heard).toHaveLength(28 * FRAME)
    expect(clock.pending).toBe(0)
  })

  it('follows a sender that begins to count anew', () => {
    const { push, buffer, heard, samples } = make()
    buffer.push(SPEECH.slice(0, FRAME), { position: 80_000, sequence: 500 })
    push(...range(0, 40))
    expect(heard).toHaveLength(FRAME + (40 - 25) * FRAME)
    expect(samples().slice(FRAME)).toEqual(part(25, 40))
  })

  it('takes times that are a little inexact, and none', () => {
    const { buffer, samples, clock } = make()
    const offsets = [0, 3, -8, 40, -40, 0]
    for (const [n, offset] of offsets.entries())
      buffer.push(part(n, n + 1), { position: 1_000 + n * FRAME + offset })
    buffer.push(part(6, 7))
    buffer.push(new Int16Array(0), { position: 7 })
    expect(samples()).toEqual(part(0, 7))
    expect(clock.pending).toBe(0)
  })

  it('forgets what waits when it ends', () => {
    const { push, buffer, clock, heard } = make()
    push(0, 2)
    buffer.end()
    expect(clock.pending).toBe(0)
    clock.advance(100)
    expect(heard).toHaveLength(FRAME)
  })
})
