import { describe, expect, it } from 'vitest'
import { contentRange, location } from './answer.js'

describe('Content-Range', () => {
  it.each([
    [0, 3, null, '0-2/*'],
    [2, 1, 3, '2-2/3'],
    [0, 0, null, '*/*'],
    [3, 0, 3, '*/3'],
  ])('from %i, %i rows of %s: %s', (offset, returned, total, header) => {
    expect(contentRange(offset, returned, total)).toBe(header)
  })
})

describe('Location', () => {
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
})
