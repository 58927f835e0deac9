import { expect, it } from 'vitest'
import { harmless, inSight, table, textFor } from './terminal-text.js'

it('takes from a text what would steer a terminal', () =>
  expect(harmless('a\u001B[31mb\nc\u0007\u009B')).toBe('a [31mb\nc  '))

it('takes from it what would turn the direction of the rest', () =>
  expect(harmless('paid \u202E05 \u2066x')).toBe('paid  05  x'))

it('leaves a text for a file as it is', () => {
  expect(textFor({}, 'a\u001B[2J\r\nb')).toBe('a\u001B[2J\r\nb')
  expect(textFor({ isTTY: true }, 'a\u001B[2J\r\nb')).toBe('a [2J\nb')
})

it('puts everything in sight on one line', () =>
  expect(inSight('a\nb\u001B[2J\u009B\u202E\t')).toBe('a\\nb\\x1B[2J\\x9B\\u202E\\x09'))

it('sets rows in columns', () =>
  expect(
    table([
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
    ]),
  ).toBe('a    bb  c\naaa  b'))
