import { expect, it } from 'vitest'
import { isExpired, rolesUpTo } from './key-choices.js'

it('offers no role above the own one, and the least first', () => {
  expect(rolesUpTo('owner')).toEqual(['viewer', 'editor', 'owner'])
  expect(rolesUpTo('editor')).toEqual(['viewer', 'editor'])
  expect(rolesUpTo('viewer')).toEqual(['viewer'])
})

it('knows when a key has ended', () => {
  const at = '2026-05-01T10:00:00.000Z'
  expect(isExpired(at, Date.parse(at) - 1)).toBe(false)
  expect(isExpired(at, Date.parse(at))).toBe(true)
})
