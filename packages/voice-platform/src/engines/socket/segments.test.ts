import { expect, it } from 'vitest'
import { Segments } from './segments.js'

it('takes no more words and segments than a turn can have', () => {
  const long = new Segments()
  for (let turn = 0; turn < 10; turn += 1) expect(long.set('a', 'x'.repeat(30_000), false)).toBe(true)
  expect(long.set('b', 'x'.repeat(30_000), true)).toBe(false)
  expect(long.text).toHaveLength(30_000)

  const many = new Segments()
  for (let key = 0; key < 1_000; key += 1) expect(many.set(String(key), '', false)).toBe(true)
  expect(many.set('more', '', false)).toBe(false)
  expect(many.set('0', 'word', true)).toBe(true)
})
