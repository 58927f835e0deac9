import { describe, expect, it } from 'vitest'
import { SentenceScanner } from './sentence-scanner.js'

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
