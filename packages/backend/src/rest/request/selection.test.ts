import { describe, expect, it } from 'vitest'
import { parseSelection } from './selection.js'

describe('select', () => {
  it.each([
    [null, ['*']],
    ['*', ['*']],
    ['', []],
    ['slug, name', [{ column: 'slug' }, { column: 'name' }]],
    ['a:slug', [{ column: 'slug', alias: 'a' }]],
    ['slug::text', [{ column: 'slug', cast: 'text' }]],
    ['a:slug::Double Precision', [{ column: 'slug', alias: 'a', cast: 'double precision' }]],
    ['"first name":"a,b"', [{ column: 'a,b', alias: 'first name' }]],
    ['prénom:name', [{ column: 'name', alias: 'prénom' }]],
  ])('%j', (text, selection) => {
    expect(parseSelection(text)).toEqual(selection)
  })

  it.each([
    ['a:b:c', 'PGRST100'],
    [':slug', 'PGRST100'],
    ['slug::', 'PGRST100'],
    ['slug,', 'PGRST100'],
    ['"a', 'PGRST100'],
    ['"a\u0000":slug', 'PGRST100'],
    [`${'a'.repeat(64)}:slug`, 'PGRST100'],
    ['1:slug', 'PGRST100'],
    ['a(b)', 'PGRST127'],
    ['...a', 'PGRST127'],
    ['slug->a', 'PGRST127'],
    ['slug::regclass', 'PGRST127'],
    ['slug::constructor', 'PGRST127'],
  ])('%j is refused with %s', (text, code) => {
    expect(() => parseSelection(text)).toThrow(expect.objectContaining({ code }))
  })

  it('reads hostile text in no time that grows with its square', () => {
    // 30,000 characters: an expression that looks back would take seconds, and the test would time out.
    for (const text of ['\\"'.repeat(15_000), '"'.repeat(30_000), '("'.repeat(15_000), ':'.repeat(30_000)])
      expect(() => parseSelection(text)).toThrow(expect.objectContaining({ name: 'RestError' }))
  })
})
