import { describe, expect, it } from 'vitest'
import { columnName, splitList, unquote } from './list.js'

describe('a list', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['a,', ['a', '']],
    [',', ['', '']],
    ['"a,b",c', ['"a,b"', 'c']],
    ['"a\\",b",c', ['"a\\",b"', 'c']],
    ['a(b,c),d', ['a(b,c)', 'd']],
    ['"(",a', ['"("', 'a']],
    ['"a,b', ['"a,b']],
    ['a\\,b', ['a\\', 'b']],
  ])('%j', (text, items) => {
    expect(splitList(text)).toEqual(items)
  })

  it.each([
    ['a', 'a'],
    ['""', ''],
    ['"', '"'],
    ['"a\\"b\\\\"', 'a"b\\'],
    ['"a\nb"', 'a\nb'],
  ])('without its quotes: %j', (text, value) => {
    expect(unquote(text)).toBe(value)
  })
})

describe('the name of a column', () => {
  it('may hold anything within quotes', () => {
    expect(columnName('"a.b->c"')).toBe('a.b->c')
  })
  it.each(['a->b', 'a->>b', 'a.b', 'count()'])('is not %j', (text) => {
    expect(() => columnName(text)).toThrow(expect.objectContaining({ code: 'PGRST127' }))
  })
})
