import { expect, it } from 'vitest'
import { SLUG_PATTERN } from './new-visitor.js'
import { ENDING_ALPHABET, privateSlug } from './private-slug.js'

it('appends six random characters that nobody takes for one another', () => {
  const slugs = Array.from({ length: 2_000 }, () => privateSlug('acme'))
  for (const slug of slugs) expect(slug).toMatch(/^acme-[a-hjkmnp-z2-9]{6}$/)
  expect(new Set(slugs).size).toBe(slugs.length)
  const used = new Set(slugs.flatMap((slug) => [...slug.slice(-6)]))
  expect([...used].sort().join('')).toBe([...ENDING_ALPHABET].sort().join(''))
})

it('makes slugs that a visitor may have, and refuses one without room for the ending', () => {
  expect(privateSlug('a'.repeat(57))).toMatch(SLUG_PATTERN)
  expect(() => privateSlug('a'.repeat(58))).toThrow('at most 57 characters')
})
