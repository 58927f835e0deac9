import { describe, expect, it } from 'vitest'
import { sentenceEndSeconds } from './sentence-ends.js'

describe('sentenceEndSeconds', () => {
  it.each([
    ['What time do you open?', 0.1],
    ['What are you looking for?', 0.1],
    ['Yes.', 0.1],
    ['no thank you', 0.1],
    ['Okay, thanks for your help, bye', 0.1],
  ])('is short after what is whole: %s', (words, seconds) => {
    expect(sentenceEndSeconds(words)).toBe(seconds)
  })

  it.each([
    ['I would like to', 2],
    ['I need a table for four and', 2],
    ['Well, um', 2],
    ['I was wondering…', 2],
    ['First,', 2],
    ['I want to talk about.', 1.2],
  ])('is long after what wants more words: %s', (words, seconds) => {
    expect(sentenceEndSeconds(words)).toBe(seconds)
  })

  it.each([
    ['My number is', 2.5],
    ['my phone number is 555', 2.5],
    ['five five five', 2.5],
    ['It is 202-555.', 2.5],
    ['It is 202-555-0123.', 0.5],
    ['My email is', 2.5],
    ['my e-mail is jane dot', 2.5],
    ['my email is jane at example', 2.5],
    ['my email is jane at example dot com', 0.5],
    ['jane.doe@example.com', 0.5],
  ])('waits for what is dictated: %s', (words, seconds) => {
    expect(sentenceEndSeconds(words)).toBe(seconds)
  })

  it.each(['I would like some tea.', 'Ich möchte einen Tisch', '', '...', '二人です'])(
    'leaves to the other plan what looks like nothing: %s',
    (words) => {
      expect(sentenceEndSeconds(words)).toBeUndefined()
    },
  )

  it('reads a minute of words without effort', () => {
    expect(sentenceEndSeconds('at '.repeat(5_000))).toBe(2)
    expect(sentenceEndSeconds('1 '.repeat(5_000))).toBe(0.5)
  })
})
