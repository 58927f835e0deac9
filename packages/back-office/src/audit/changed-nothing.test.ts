import { expect, it } from 'vitest'
import { changedNothing } from './changed-nothing.js'

it.each([
  [{ added: 0 }, true],
  [{ added: 0, replaced: 1 }, false],
  [{ slug: 'acme', removed: 0 }, true],
  [{ changed: [] }, true],
  [{ version: '3', changed: ['name'] }, false],
  // Nothing here says how much.
  [{ slug: 'acme' }, false],
  [{}, false],
])('takes it from what the audit keeps: %j', (detail, expected) => {
  expect(changedNothing(detail, detail)).toBe(expected)
})

it('believes an answer that says so', () => {
  expect(changedNothing({ isChanged: false }, { replaced: 1 })).toBe(true)
  expect(changedNothing({ isChanged: true }, { replaced: 0 })).toBe(false)
  expect(changedNothing(undefined, { slug: 'acme' })).toBe(false)
})
