import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { dbfs, largestStep, peakOf, sine } from '../testing/signals.js'
import { AudioBudget } from '../work/audio-budget.js'
import { LineIn } from './line-in.js'
import { encodeMuLaw } from './mu-law.js'

const SPEECH = sine(200, 8_000, 1_000, 12_000)
const WIRE = encodeMuLaw(SPEECH)

function hear(numbers: number[]): Int16Array {
  const clock = new ManualClock()
  const heard: number[] = []
  const line = new LineIn({
    clock,
    budget: new AudioBudget(clock),
    hear: (samples) => void heard.push(...samples),
  })
  for (const n of numbers)
    line.frame(WIRE.subarray(n * 160, (n + 1) * 160), { position: n * 160, sequence: n })
  clock.advance(100)
  line.end()
  expect(clock.pending).toBe(0)
  return Int16Array.from(heard)
}

const all = Array.from({ length: 50 }, (_, n) => n)

describe('LineIn', () => {
  it('hears a tone at its level, without a step at the borders of frames', () => {
    const heard = hear(all)
    expect(heard).toHaveLength(16_000)
    expect(Math.abs(dbfs(heard.subarray(1_000, 15_000)) - dbfs(SPEECH))).toBeLessThan(0.2)
    expect(Math.abs(peakOf(heard) / 12_000 - 1)).toBeLessThan(0.05)
    expect(largestStep(heard)).toBeLessThan(12_000 * ((2 * Math.PI * 200) / 16_000) * 1.05 + 600)
  })

  it('hears the same from frames out of order and doubled', () => {
    expect(hear([0, 2, 1, 1, ...all.slice(3), 49])).toEqual(hear(all))
  })

  it('keeps the length where frames are lost', () => {
    const heard = hear(all.filter((n) => n !== 20 && n !== 21 && n !== 35))
    expect(heard).toHaveLength(16_000)
    expect(largestStep(heard)).toBeLessThan(12_000 * ((2 * Math.PI * 200) / 16_000) * 2 + 600)
  })

  it.each([
    ['of 186 ms each 10 ms', 1_488, 0],
    ['of 186 ms each 10 ms with gaps of a second', 1_488, 8_000],
    ['of 20 ms each 10 ms with gaps of a second', 160, 8_000],
  ])('hears no more than half a minute beyond real time of frames %s', (_how, length, gap) => {
    const clock = new ManualClock()
    let heard = 0
    const hear = (samples: Int16Array) => {
      heard += samples.length
    }
    const line = new LineIn({ clock, budget: new AudioBudget(clock), hear })
    for (let n = 0; n < 6_000; n++) {
      line.frame(new Uint8Array(length), { position: n * (length + gap), sequence: n })
      clock.advance(10)
    }
    expect(heard / 16_000).toBeGreaterThan(60)
    expect(heard / 16_000).toBeLessThan(60 * 1.1 + 31)
  })
})
