import { describe, expect, it } from 'vitest'
import { cutLongText, SentenceScanner, sentencesOf } from './sentences.js'

describe('sentencesOf', () => {
  it('splits at the marks that end a sentence', () => {
    expect(sentencesOf('Hello there! How are you? We open at 9… Come in.')).toEqual([
      'Hello there!',
      'How are you?',
      'We open at 9…',
      'Come in.',
    ])
  })

  it('keeps numbers, abbreviations, initials and addresses whole', () => {
    const sentences = [
      'It costs $4.50 at example.com today.',
      'Ask for Dr. Stone or J. Ford.',
      'We open at 9 a.m. on Mondays, e.g. tomorrow.',
    ]
    expect(sentencesOf(sentences.join(' '))).toEqual(sentences)
  })

  it('keeps closing quotes with their sentence', () => {
    expect(sentencesOf('He said "yes." Then he left.')).toEqual(['He said "yes."', 'Then he left.'])
  })

  it('ends a sentence with its line, and counts list numbers as part of theirs', () => {
    expect(sentencesOf('Prices:\n1. Haircut 20\n2. Shave 10\n')).toEqual([
      'Prices:',
      '1. Haircut 20',
      '2. Shave 10',
    ])
  })

  it('knows the marks of scripts that write no spaces', () => {
    expect(sentencesOf('こんにちは。元気ですか？')).toEqual(['こんにちは。', '元気ですか？'])
  })

  it('finds nothing in nothing', () => {
    expect(sentencesOf(' \n \n')).toEqual([])
  })
})

describe('cutLongText', () => {
  it('leaves a short text alone', () => {
    expect(cutLongText(' short ', 10)).toEqual(['short'])
    expect(cutLongText('  ', 10)).toEqual([])
  })

  it('prefers commas, then spaces, then cuts anywhere', () => {
    expect(cutLongText('one two three, four five six', 20)).toEqual(['one two three,', 'four five six'])
    expect(cutLongText('one two three four', 10)).toEqual(['one two', 'three four'])
    expect(cutLongText('x'.repeat(25), 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)])
  })

  it('never makes a piece that is too long, and never splits a character', () => {
    const text = 'a, b '.repeat(50) + '😀'.repeat(20)
    for (const most of [1, 2, 3, 7, 20]) {
      const pieces = cutLongText(text, most)
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(most)
      // Half a character cannot be encoded.
      if (most > 1) expect(() => pieces.map(encodeURIComponent)).not.toThrow()
    }
  })
})

const endsOf = (...pieces: string[]) => {
  const scanner = new SentenceScanner()
  return pieces.map((piece) => scanner.read(piece))
}

describe('SentenceScanner', () => {
  it('waits for the next word before it calls a sentence complete', () => {
    expect(endsOf('It costs 4.', ' ', 'Or')).toEqual([[], [], [11]])
    expect(endsOf('Yes!', '" ', '  ', 'He')).toEqual([[], [], [], [5]])
    expect(endsOf('It costs 4', '.50 ', 'Or')).toEqual([[], [], []])
  })

  it('knows an abbreviation, however it comes', () => {
    expect(endsOf('Ask ', 'D', 'r', '.', ' ', 'Stone. ', 'Now')).toEqual([[], [], [], [], [], [], [14]])
  })

  it('does not wait at a line’s end, or behind a mark of East Asian scripts', () => {
    expect(endsOf('Prices:\n')).toEqual([[8]])
    expect(endsOf('\n\n')).toEqual([[]])
    expect(endsOf('こんにちは。', '元気')).toEqual([[6], []])
  })
})
