import { expect, it } from 'vitest'
import { FATAL_ERRORS, fatalErrorOfCloseCode, isFatalErrorKind } from './fatal-error.js'

it('has the ten kinds, each with a close code of its own that an application may use', () => {
  const codes = Object.values(FATAL_ERRORS)
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  expect(codes.every((code) => code >= 4000 && code <= 4999)).toBe(true)
})

it('finds the kind of a code, and none of codes that are not the room’s', () => {
  for (const [kind, code] of Object.entries(FATAL_ERRORS)) expect(fatalErrorOfCloseCode(code)).toBe(kind)
  for (const code of [1000, 1001, 1006, 1011, 4010, 4999]) expect(fatalErrorOfCloseCode(code)).toBeUndefined()
})

it.each([
  ['ejected', true],
  ['no-room', true],
  ['toString', false],
  ['', false],
  [4001, false],
  [undefined, false],
])('knows whether %s is a kind', (kind, isKind) => {
  expect(isFatalErrorKind(kind)).toBe(isKind)
})
