import { expect, it } from 'vitest'
import { derivedKey, hashOf, isAnySecret, isSameSecret, newSecret } from './secret.js'

it('makes secrets of 256 bits that differ, fit for a URL', () => {
  const made = new Set(Array.from({ length: 100 }, newSecret))
  expect(made.size).toBe(100)
  for (const secret of made) expect(secret).toMatch(/^[\w-]{43}$/)
})

it('hashes as the published test vector of SHA-256', () => {
  expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it.each([
  ['secret', 'secret', true],
  ['secret', 'Secret', false],
  ['secre', 'secret', false],
  ['', 'secret', false],
  ['é', 'e\u0301', false],
])('compares %j with %j: %j', (shown, ours, same) => {
  expect(isSameSecret(shown, ours)).toBe(same)
})

it.each([
  [['a', 'c'], ['b', 'c'], true],
  [['a', 'c'], ['b'], false],
  [[], ['b'], false],
  [['a'], [], false],
])('finds one of %j among %j: %j', (shown, ours, found) => {
  expect(isAnySecret(shown, ours)).toBe(found)
})

it('derives keys that stay what they are, one for each purpose', () => {
  const key = derivedKey('secret', 'one')
  expect(Buffer.from(key).toString('hex')).toBe(
    'cd394a8ccfdf79453034f01aa0f46eb2790ec6df1fcae0d9ddd070b633beeae3',
  )
  expect(derivedKey(Buffer.from('secret'), 'one')).toEqual(key)
  expect(derivedKey('secret', 'another')).not.toEqual(key)
})
