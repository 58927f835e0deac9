import { expect, it } from 'vitest'
import { commonWeight, messageWeight, readWeight } from './read-weight.js'

const ENGLISH = 'We bake bread, cakes and pies, and whoever comes before seven finds them warm.'

it('is the length of English, and of what programs write', () => {
  for (const text of [ENGLISH, '', '{"type":"string"}\n']) expect(readWeight(text)).toBe(text.length)
})

it.each([
  ['Wir öffnen früh', 17],
  ['хлеб', 8],
  ['日本語', 12],
  ['한국어', 12],
  ['“no” – 5 €', 22],
  ['😀', 16],
  ['ꀀꔀⰀ᠀', 48],
])('of %s is %d', (text, weight) => {
  expect(readWeight(text)).toBe(weight)
})

it('of a rare letter is that of a token for each of its bytes, which is the most it can have', () => {
  for (const letter of ['ꀀ', 'ꔀ', 'Ⰰ', 'Ꭰ', 'ߐ', 'ަ', '𐌀'])
    expect(readWeight(letter)).toBeGreaterThanOrEqual(4 * Buffer.byteLength(letter))
})

it('as common letters is no more than theirs', () => {
  expect(commonWeight('ꀀ'.repeat(100))).toBe(400)
  expect(commonWeight('日'.repeat(100))).toBe(400)
  expect(commonWeight(ENGLISH)).toBe(ENGLISH.length)
})

it('of a message has the tools that it uses', () =>
  expect(
    messageWeight({
      role: 'assistant',
      content: 'ꀀ',
      toolCalls: [{ id: '1', name: 'book', arguments: { at: 'ꀀ' } }],
    }),
  ).toBe(12 + 4 + '{"at":""}'.length + 12))
