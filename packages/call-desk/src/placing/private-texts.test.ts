import { describe, expect, it } from 'vitest'
import { withoutPrivate } from './private-texts.js'

describe('withoutPrivate', () => {
  it.each([
    '+14155552671',
    '14155552671',
    '+1 (415) 555-2671',
    '4155552671',
    '415.555.2671',
    '555 2671',
    '００１４１５５５５２６７１',
    '+1-415----555----2671',
    '٠٠١٤١٥٥٥٥٢٦٧١',
  ])('takes out %s', (written) => {
    expect(withoutPrivate(`No: ${written}, never.`, [])).toBe('No: [number], never.')
  })

  it('leaves short numbers', () => {
    const text = 'platform_400_bad_request: at most 180 seconds in 2 of 24 hours'
    expect(withoutPrivate(text, [])).toBe(text)
  })

  const prompt = 'You are the voice of Acme.\nSay “hello” first.'
  it.each([
    prompt,
    JSON.stringify({ content: prompt }),
    prompt.replaceAll(' ', '\\u0020'),
    'content: YOU ARE THE  VOICE OF',
    'messages[0] (…he voice of Acme…) is too long',
  ])('keeps nothing of a text that holds a piece of a private one: %j', (text) => {
    expect(withoutPrivate(text, ['', prompt])).toBeUndefined()
  })

  it('knows short texts, and leaves what is only alike', () => {
    expect(withoutPrivate('"Hello Acme!" is bad', ['Hello, Acme'])).toBeUndefined()
    expect(withoutPrivate('The voice is bad', [prompt])).toBe('The voice is bad')
    expect(withoutPrivate('This is bad', ['Hi!'])).toBe('This is bad')
  })
})
