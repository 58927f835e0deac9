import { describe, expect, it } from 'vitest'
import { speakableText, UNSPEAKABLE } from './speakable-text.js'

describe('speakableText', () => {
  it('keeps what is said around a phrase that is one character', () => {
    expect(speakableText('He, ﷺ and peace be upon him, said so.')).toBe('He, and peace be upon him, said so.')
    expect(speakableText('ﷺ'.repeat(100))).toBe(UNSPEAKABLE)
    expect(speakableText('2㎯ is fast.')).toBe('2rad s2 is fast.')
  })

  it('leaves plain English alone', () => {
    const text = 'Hello there! It costs $4.50, doesn\'t it? "Yes," he said (twice).'
    expect(speakableText(text)).toBe(text)
  })

  it.each([
    ['Café Müller & Söhne, Łódź', 'Cafe Muller and Sohne, Lodz.'],
    ['“Fine” — it’s 9–5', '"Fine", it\'s 9 to 5.'],
    ['€20.50 or £5, 20% off, 25°C', '20.50 euros or 5 pounds, 20 percent off, 25 degrees C.'],
    ['Great 👍🎉 news', 'Great news.'],
    ['Bell\u0007 and\u200b zero\0 bytes', 'Bell and zero bytes.'],
  ])('says %j', (text, spoken) => {
    expect(speakableText(text)).toBe(spoken)
  })

  it('says addresses without scheme, path and query', () => {
    expect(speakableText('Visit https://www.example.com:8080/a/b?c=d. Or mail the_team@example.co.uk!')).toBe(
      'Visit example dot com. Or mail the underscore team at example dot co dot uk!',
    )
  })

  it('says what Markdown marks up', () => {
    expect(speakableText('# Prices\n- **Tea**: `2` dollars\n- [Menu](https://example.com/menu)\n')).toBe(
      'Prices. Tea: 2 dollars. Menu.',
    )
  })

  it.each(['', ' … !? ', '👍', 'Привет, как дела?', 'こんにちは。', 'Anna, привет, как дела?'])(
    'is honest about %j',
    (text) => {
      expect(speakableText(text)).toBe(UNSPEAKABLE)
    },
  )

  it('says what it can of a mixed text', () => {
    expect(speakableText('Our shop in Москва opens at nine.')).toBe('Our shop in opens at nine.')
  })
})
