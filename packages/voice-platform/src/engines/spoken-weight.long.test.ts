import { SAMPLE_RATE } from '@heyline/room-protocol'
import { describe, expect, it, vi } from 'vitest'
import { speakableText } from './flite/speakable-text.js'
import { synthesize } from './flite/synthesize.js'
import { cutLongText } from './sentences.js'
import { cutLongSpeech, spokenWeight } from './spoken-weight.js'

const ENGLISH =
  'We bake bread, cakes and pies, and whoever comes before seven finds them warm, but nobody should be late for it, because the shop closes early '
const MOST = 300
/** How long a character of ordinary English sounds. */
const CHARACTER_SECONDS = 0.058

/** Parts of texts that sound much longer than they look. */
const HOSTILE = [
  '1',
  '7',
  '111111111111 ',
  '777777777 ',
  '777,777,777 ',
  '1977 ',
  '$777777.77 ',
  '$7 ',
  '7.7',
  '-7 ',
  '3/14/1977 ',
  '007 ',
  'W',
  'w',
  'WWW ',
  'W ',
  'W/',
  'awww ',
  'a/',
  'bcdfg',
  'CA ',
  'se ',
  'USA ',
  'VIII ',
  'x',
  'y',
  'shh',
  'hmm, ',
  'a, ',
  'word, ',
  'aW',
  'B2B ',
]
const textOf = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).trim()

describe('spokenWeight', () => {
  it('is the length of ordinary English', () => {
    for (const text of [ENGLISH, 'Good morning.', "It's warm, isn't it?", '', ' ', 'Strengths and rhythms.'])
      expect(spokenWeight(text)).toBe(text.length)
  })

  it.each([
    ['7', 6],
    ['777', 18],
    ['1977', 40],
    ['777,777', 61],
    ['1'.repeat(20), 168],
    ['21st', 14],
    ['$5', 14],
    ['5 %', 15],
    ['a/b', 14],
    ['-5', 10],
    ['example.com', 14],
    ['WWW', 19.5],
    ['bcd', 12],
    ['CA', 12],
    ['IN', 2],
    ['USA', 6],
  ])('of %j is %d', (text, weight) => {
    expect(spokenWeight(text)).toBe(weight)
  })

  it('sees through other forms of letters and digits', () => {
    expect(spokenWeight('７７７')).toBe(18)
    expect(spokenWeight('𝟕𝟕𝟕')).toBe(18)
    expect(spokenWeight('Café')).toBe(4)
  })

  it('is never less than the length', () => {
    for (const text of ['😀'.repeat(9), '\ud83d', 'こんにちは', '\u200b\u0301', '!?', '\n\n'])
      expect(spokenWeight(text)).toBe(text.length)
  })

  it.each([
    ['ﷺ', 18],
    ['㌖', 18],
    ['㎯', 14],
  ])('of %s is that of what it stands for, or more', (character, weight) => {
    expect(spokenWeight(character)).toBe(weight)
    expect(spokenWeight(character.normalize('NFKD'))).toBeLessThanOrEqual(weight)
    expect(spokenWeight(character.repeat(9))).toBe(9 * weight)
  })

  it.each(['e', 'ﷺ', 'ﷻ', '㌖', '%', '1 ', '㎯', '😀'])(
    'of 10,000 %s looks at no character more than six times',
    (part) => {
      const text = part.repeat(10_000)
      const matchAll = vi.spyOn(String.prototype, 'matchAll')
      spokenWeight(text)
      const read = matchAll.mock.contexts.map((self) => String(self).length)
      matchAll.mockRestore()
      const characters = read.reduce((sum, length) => sum + length, 0)
      // Once for the words, and once each for what they consist of.
      expect(characters).toBeGreaterThanOrEqual(2 * text.length)
      expect(characters).toBeLessThanOrEqual(2 * 6 * text.length)
    },
  )

  it('is looked for up to the most that is asked for, and not in a longer text', () => {
    for (const part of ['ﷺ', '1 ', '㎯', 'word ']) {
      const text = part.repeat(200)
      const whole = spokenWeight(text)
      for (const most of [0, 1, 399, 1_000, whole - 1, whole, whole + 1]) {
        const weight = spokenWeight(text, most)
        if (whole <= most) expect(weight).toBe(whole)
        else expect(weight).toBeGreaterThan(most)
        expect(weight).toBeLessThanOrEqual(whole)
      }
    }
    const normalize = vi.spyOn(String.prototype, 'normalize')
    expect(spokenWeight('ﷺ'.repeat(2_001), 2_000)).toBe(2_001)
    const looks = normalize.mock.calls.length
    normalize.mockRestore()
    expect(looks).toBe(0)
  })

  it('of two texts is the weight of both, so that no word makes a text lighter', () => {
    for (const part of HOSTILE) {
      const text = textOf(part, 100)
      expect(spokenWeight(`${text} and ${ENGLISH}`)).toBe(spokenWeight(text) + 5 + ENGLISH.length)
    }
  })

  it('grows with each digit and each letter that is spelled', () => {
    for (const part of ['1', 'W', 'b', '$', '/']) {
      const weights = Array.from({ length: 50 }, (_, length) => spokenWeight(part.repeat(length)))
      expect(weights).toEqual([...new Set(weights)].sort((one, other) => one - other))
    }
  })
})

describe('cutLongSpeech', () => {
  it('cuts English where cutLongText cuts it', () => {
    const words = `${ENGLISH}`.replaceAll(',', '')
    for (const text of [
      ENGLISH,
      ENGLISH.repeat(9),
      words.repeat(9),
      ` ${words.repeat(3)} `,
      'and so on '.repeat(90),
      'short',
      ' ',
    ])
      for (const most of [40, 299, 300, 301])
        expect(cutLongSpeech(text, most)).toEqual(cutLongText(text, most))
  })

  it('makes no piece that weighs too much, and loses nothing', () => {
    const mixed = HOSTILE.map((part) => textOf(part, 60)).join(' ')
    for (const text of [mixed, ...HOSTILE.map((part) => textOf(part, 2_000)), `${'b'.repeat(400)}a`])
      for (const most of [20, MOST]) {
        const pieces = cutLongSpeech(text, most)
        expect(Math.max(...pieces.map(spokenWeight))).toBeLessThanOrEqual(most)
        expect(pieces.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }
  })

  it('cuts between words where it can, and long numbers between digits', () => {
    for (const piece of cutLongSpeech(textOf('1977 ', 900), MOST)) expect(piece).toMatch(/^1977( 1977)*$/)
    const [first, ...others] = cutLongSpeech('1'.repeat(240), MOST)
    expect(first).toBe('1'.repeat(36))
    expect(others.join('')).toBe('1'.repeat(204))
  })

  it('splits no surrogate pair', () => {
    for (const most of [2, 3, 7])
      expect(() => cutLongSpeech('😀'.repeat(20), most).map(encodeURIComponent)).not.toThrow()
  })

  it('weighs each character of a very long text a few times', () => {
    for (const part of HOSTILE) expect(cutLongSpeech(textOf(part, 50_000), MOST).length).toBeGreaterThan(150)
  })
})

describe('flite', () => {
  it.each([ENGLISH, ...HOSTILE])(
    'speaks a piece of %j for as long as it weighs, and not much over 20 s',
    (part) => {
      const [piece = ''] = cutLongSpeech(speakableText(textOf(part, 1_000)), MOST)
      const seconds = synthesize(piece).length / SAMPLE_RATE
      expect(seconds).toBeLessThan(23)
      expect(spokenWeight(piece) * CHARACTER_SECONDS).toBeGreaterThan(seconds / 2)
      expect(spokenWeight(piece) * CHARACTER_SECONDS).toBeLessThan(seconds * 2.2)
    },
  )
})
