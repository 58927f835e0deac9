import { describe, expect, it } from 'vitest'
import { heardWords } from './heard-words.js'

const sentence = { text: 'one two three four', sentMs: 2000, isWhole: true }

describe('heardWords', () => {
  it('counts only words that were heard to their end', () => {
    expect(heardWords(sentence, 0)).toBe('')
    expect(heardWords(sentence, 499)).toBe('')
    expect(heardWords(sentence, 1000)).toBe('one two')
    expect(heardWords(sentence, 1999)).toBe('one two three')
    expect(heardWords(sentence, 9000)).toBe('one two three four')
  })

  it('estimates the length of a sentence that was not sent whole', () => {
    expect(heardWords({ ...sentence, sentMs: 400, isWhole: false }, 400)).toBe('one')
    expect(heardWords({ ...sentence, sentMs: 0, isWhole: false }, 0)).toBe('')
  })
})
