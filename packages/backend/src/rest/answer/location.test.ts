import { expect, it } from 'vitest'
import { location } from './location.js'

it.each([
  ['things', [['id', '4']], '/things?id=eq.4'],
  [
    'my things',
    [
      ['a b', 'c&d'],
      ['e', null],
    ],
    '/my%20things?a%20b=eq.c%26d&e=is.null',
  ],
] as [string, [string, string | null][], string][])('of a row of %s', (table, key, header) => {
  expect(location(table, key)).toBe(header)
})
