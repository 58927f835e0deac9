import { describe, expect, it } from 'vitest'
import { scaleTo } from './scale.js'

describe('a scale', () => {
  it.each([
    [50, [0, 10, 20, 30, 40, 50]],
    [51, [0, 20, 40, 60]],
    [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [7_300_000, [0, 2_000_000, 4_000_000, 6_000_000, 8_000_000]],
    [49_000_000, [0, 10_000_000, 20_000_000, 30_000_000, 40_000_000, 50_000_000]],
  ])('to %d has lines where people count', (highest, lines) => {
    const scale = scaleTo(highest)
    expect(scale.lines.map((line) => Number(line.toPrecision(6)))).toEqual(lines)
    expect(scale.end).toBe(scale.lines.at(-1))
  })

  it('has room for what it shows, with two to six lines', () => {
    for (let highest = 0.001; highest < 1e12; highest *= 1.37) {
      const { lines, end } = scaleTo(highest, 0.0001)
      expect(end).toBeGreaterThanOrEqual(highest)
      expect(lines.length).toBeGreaterThanOrEqual(2)
      expect(lines.length).toBeLessThanOrEqual(6)
    }
  })

  it('to nothing has one step', () => {
    expect(scaleTo(0, 10_000)).toEqual({ lines: [0, 2000], end: 2000 })
  })
})
