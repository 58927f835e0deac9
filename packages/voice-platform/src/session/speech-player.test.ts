import { describe, expect, it } from 'vitest'
import { heardPart } from './speech-player.js'

const sentence = { text: 'one two three four', sentMs: 2000, isWhole: true }

describe('heardPart', () => {
  it('counts only words that were heard to their end', () => {
    expect(heardPart(sentence, 0)).toBe('')
    expect(heardPart(sentence, 499)).toBe('')
    expect(heardPart(sentence, 1000)).toBe('one two')
    expect(heardPart(sentence, 1999)).toBe('one two three')
    expect(heardPart(sentence, 9000)).toBe('one two three four')
  })

  it('estimates the length of a sentence that was not sent whole', () => {
    expect(heardPart({ ...sentence, sentMs: 400, isWhole: false }, 400)).toBe('one')
    expect(heardPart({ ...sentence, sentMs: 0, isWhole: false }, 0)).toBe('')
  })
})
