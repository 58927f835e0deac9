import { describe, expect, it, vi } from 'vitest'
import { chunkSentences } from '../session/sentence-chunker.js'
import { speakableText } from './flite/speakable-text.js'
import { createOfflineModel } from './offline/offline-model.js'
import { factsOf } from './offline/prompt-facts.js'
import { cutLongText, SentenceScanner, sentencesOf } from './sentences.js'

/** Texts that make a pattern with a `+` start over and over again. */
const HOSTILE: [string, string][] = [
  ['marks', '!'],
  ['marks and quotes', '!"'],
  ['initials', 'A. '],
  ['list numbers', '1. '],
  ['abbreviations', 'Mr. '],
  ['lines', '\n'],
  ['lines of one letter', 'a\n'],
  ['spaces', ' '],
  ['a full stop and spaces', `.${' '.repeat(999)}`],
  ['one word', 'a'],
  ['words', 'word '],
  ['dots inside', 'a.'],
  ['wide marks', '。'],
  ['commas', ','],
  ['brackets', '['],
  ['link labels', '[a]('],
  ['addresses', 'http://.'],
  ['hash marks', '#'],
  ['colons', ': '],
]

describe.each(HOSTILE)('200,000 characters of %s', (_name, part) => {
  const text = part.repeat(Math.ceil(200_000 / part.length))

  it('are each looked at once', () => {
    const charAt = vi.spyOn(String.prototype, 'charAt')
    new SentenceScanner().read(text)
    const looks = charAt.mock.calls.length
    charAt.mockRestore()
    expect(looks).toBe(text.length)
  })

  it('have the same ends, however they come', () => {
    const start = text.slice(0, 20_000)
    const scanner = new SentenceScanner()
    const ends = [...start].flatMap((character) => scanner.read(character))
    const whole = new SentenceScanner().read(start)
    // Wide marks are not waited for: in pieces, each ends a sentence of its own.
    if (part === '。') expect(ends).toHaveLength(20_000)
    else expect(ends).toEqual(whole)
  })

  // With work that grows with the square of the length, none of these would end within the test's time.
  it('become sentences, chunks, facts and speech', async () => {
    const sentences = sentencesOf(text)
    expect(sentences.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    expect(Math.max(0, ...cutLongText(text, 300).map(({ length }) => length))).toBeLessThanOrEqual(300)
    for (const pieces of [[text], text]) {
      let longest = 0
      for await (const chunk of chunkSentences(pieces)) longest = Math.max(longest, chunk.length)
      expect(longest).toBeLessThanOrEqual(240)
    }
    expect(factsOf(text)).toBeInstanceOf(Array)
    expect(speakableText(text)).not.toBe('')
  })
})

it('a model reads a prompt of very many facts', async () => {
  const facts = Array.from({ length: 20_000 }, (_, n) => `Tea ${n} is tea.`)
  const { signal } = new AbortController()
  let reply = ''
  const messages = [
    { role: 'system', content: facts.join('\n') },
    { role: 'user', content: 'Tell me about tea number 17.' },
  ] as const
  for await (const piece of createOfflineModel().reply(messages, { signal })) reply += piece
  expect(reply).toContain('Tea 17 is tea.')
})
