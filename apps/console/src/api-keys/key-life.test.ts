import { expect, it } from 'vitest'
import { isExpired } from './key-life.js'

it('knows when a key has ended', () => {
  const at = '2026-05-01T10:00:00.000Z'
  expect(isExpired(at, Date.parse(at) - 1)).toBe(false)
  expect(isExpired(at, Date.parse(at))).toBe(true)
})
