import { describe, expect, it } from 'vitest'
import { parseNames } from './field.js'

describe('a list of names', () => {
  it.each([
    [null, null],
    ['', null],
    ['a', ['a']],
    ['a, b', ['a', 'b']],
    ['a,b,a', ['a', 'b']],
    ['"a,b","c\\"d"', ['a,b', 'c"d']],
  ])('%j', (text, names) => {
    expect(parseNames('columns parameter', text)).toEqual(names)
  })

  it.each([',', 'a,', '"a', 'a->b', 'a.b', 'a(b)'])('%j does not read', (text) => {
    expect(() => parseNames('columns parameter', text)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  })
})
