import { expect, it } from 'vitest'
import { isNestedBeyond } from './nesting.js'

it.each([
  [0, 'text', false],
  [0, null, false],
  [0, [], true],
  [1, ['text', {}], true],
  [2, ['text', {}], false],
  [2, { a: { b: 1 }, c: [[]] }, true],
  [3, { a: { b: 1 }, c: [[]] }, false],
])('says of %d levels whether %j goes beyond: %s', (most, value, beyond) => {
  expect(isNestedBeyond(most, value)).toBe(beyond)
})

it('says so of what nobody could write down', () => {
  expect(isNestedBeyond(100, JSON.parse(`${'['.repeat(40_000)}${']'.repeat(40_000)}`))).toBe(true)
})
