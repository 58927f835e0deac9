import { expect, it } from 'vitest'
import { harmless, table } from './terminal-text.js'

it('takes from a text what would steer a terminal', () =>
  expect(harmless('a\u001B[31mb\nc\u0007\u009B')).toBe('a [31mb\nc  '))

it('sets rows in columns', () =>
  expect(
    table([
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
    ]),
  ).toBe('a    bb  c\naaa  b'))
