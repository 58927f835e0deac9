import { describe, expect, it } from 'vitest'
import { Endpointing } from './endpointing.js'

describe('Endpointing', () => {
  it.each([
    ['What do you sell?', 400],
    ['He said "come in."', 400],
    ['お願いします。', 400],
    ['I would like', 1500],
    ['Well,', 1500],
    ['My number is 555', 500],
    ['', 500],
    [null, 500],
  ])('by the defaults of the platform: %s ends after %i ms', (words, ms) => {
    expect(new Endpointing().afterMs(words)).toBe(ms)
  })

  it("takes the plan's seconds, and never fewer than it waits anyway", () => {
    const plan = {
      waitSeconds: 0.3,
      onPunctuationSeconds: 0.7,
      onNoPunctuationSeconds: 2,
      onNumberSeconds: 0.2,
    }
    const endpointing = new Endpointing(plan)
    expect(endpointing.afterMs('Yes.')).toBe(700)
    expect(endpointing.afterMs('Yes')).toBe(2000)
    expect(endpointing.afterMs('7')).toBe(300)
    expect(endpointing.longestMs).toBe(2000)
  })

  it('ends every turn, also one whose words do not come', () => {
    expect(new Endpointing().longestMs).toBe(1500)
    expect(new Endpointing({ waitSeconds: 5 }).longestMs).toBe(5000)
    expect(new Endpointing({ onNoPunctuationSeconds: 0, onNumberSeconds: 0 }).longestMs).toBe(500)
  })

  it('reads nothing out of a missing full stop where the transcriber writes none', () => {
    expect(new Endpointing({}, false).afterMs('I would like some tea')).toBe(500)
    expect(new Endpointing({}, false).afterMs('call 555')).toBe(500)
  })
})
