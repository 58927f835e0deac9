import { describe, expect, it } from 'vitest'
import { LinearRegex } from '../work/linear-regex.js'
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
    expect(endpointing.longestMs()).toBe(2000)
  })

  it('ends every turn, also one whose words do not come', () => {
    expect(new Endpointing().longestMs()).toBe(1500)
    expect(new Endpointing({ waitSeconds: 5 }).longestMs()).toBe(5000)
    expect(new Endpointing({ onNoPunctuationSeconds: 0, onNumberSeconds: 0 }).longestMs()).toBe(500)
  })

  it('reads nothing out of a missing full stop where the transcriber writes none', () => {
    expect(new Endpointing({}, false).afterMs('I would like some tea')).toBe(500)
    expect(new Endpointing({}, false).afterMs('call 555')).toBe(500)
  })

  describe('with rules', () => {
    const asksNumber = { assistant: new LinearRegex('number', { ignoreCase: true }), timeoutSeconds: 3 }
    const rules = [
      { ...asksNumber, customer: new LinearRegex('^um'), timeoutSeconds: 8 },
      asksNumber,
      { customer: new LinearRegex('please$'), timeoutSeconds: 0.2 },
    ]
    const endpointing = new Endpointing({ rules })

    it.each([
      ['555', 'What is your Number?', 3000],
      ['um 555', 'What is your number?', 8000],
      ['Tea please', 'What would you like?', 400],
      ['Tea', 'What would you like?', 1500],
      ['', 'What is your number?', 500],
      [null, 'What is your number?', 3000],
      [null, 'What would you like?', 500],
    ])('the first that holds counts: %s after %s', (words, lastSaid, ms) => {
      expect(endpointing.afterMs(words, lastSaid)).toBe(ms)
    })

    it('waits for the words as long as one of them may', () => {
      expect(endpointing.longestMs('What is your number?')).toBe(8000)
      expect(endpointing.longestMs('What would you like?')).toBe(1500)
      expect(endpointing.unaskedMs).toBe(1500)
    })
  })

  it('reads the words, where the plan is smart, and leaves to the plan what they do not tell', () => {
    const endpointing = new Endpointing({ readsWords: true, onPunctuationSeconds: 0.7 })
    expect(endpointing.afterMs('I would like to')).toBe(2000)
    expect(endpointing.afterMs('Do you have tea?')).toBe(400)
    expect(endpointing.afterMs('I would like some tea.')).toBe(700)
    expect(endpointing.longestMs()).toBe(2500)
  })
})
