import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { ClientBudget } from './client-budget.js'

let clock: ManualClock
let budget: ClientBudget
beforeEach(() => {
  clock = new ManualClock()
  budget = new ClientBudget(clock)
})

/** Whether all of so many frames may be sent at once. */
const takes = (frames: number, samples: number) =>
  Array.from({ length: frames }, () => budget.audio(samples)).every((taken) => taken)

describe('the frames of one client', () => {
  it.each([
    ['ours', 320, 50],
    ['those of a browser’s audio thread', 43, 376],
  ])('may come for hours: %s', (_, samples, perSecond) => {
    for (let seconds = 0; seconds < 7_200; seconds += 1) {
      expect(takes(perSecond, samples)).toBe(true)
      clock.advance(1_000)
    }
  })

  it('may come at once after a line stood still for half a minute', () =>
    expect(takes(1_490, 320)).toBe(true))

  it.each([0, 1, 16])('are refused where thousands of %i samples come at once', (samples) => {
    expect(takes(3_000, samples)).toBe(true)
    expect(takes(1, samples)).toBe(false)
    clock.advance(1_000)
    expect(takes(500, samples)).toBe(true)
    expect(takes(1, samples)).toBe(false)
  })
})
