import { describe, expect, it } from 'vitest'
import { parseSelection } from './selection.js'

const column = (name: string) => ({ column: name, path: [] })
const json = (name: string, ...path: ['->' | '->>', string | number][]) => ({
  column: name,
  path: path.map(([arrow, key]) => ({ arrow, key })),
})

describe('select', () => {
  it.each([
    [null, ['*']],
    ['*', ['*']],
    ['*, slug', ['*', { field: column('slug'), name: 'slug' }]],
    ['', []],
    [
      'slug, name',
      [
        { field: column('slug'), name: 'slug' },
        { field: column('name'), name: 'name' },
      ],
    ],
    ['a:slug', [{ field: column('slug'), name: 'a' }]],
    ['slug::text', [{ field: column('slug'), name: 'slug', cast: 'text' }]],
    ['a:slug::Double Precision', [{ field: column('slug'), name: 'a', cast: 'double precision' }]],
    ['"first name":"a,b"', [{ field: column('a,b'), name: 'first name' }]],
    ['"a \\"b\\\\"', [{ field: column('a "b\\'), name: 'a "b\\' }]],
    ['prénom:name', [{ field: column('name'), name: 'prénom' }]],
    ['a-b', [{ field: column('a-b'), name: 'a-b' }]],
    ['d->a', [{ field: json('d', ['->', 'a']), name: 'a' }]],
    ['d->a->>b', [{ field: json('d', ['->', 'a'], ['->>', 'b']), name: 'b' }]],
    ['d->a->0', [{ field: json('d', ['->', 'a'], ['->', 0]), name: 'a' }]],
    ['d->>-1', [{ field: json('d', ['->>', -1]), name: 'd' }]],
    ['d->2nd', [{ field: json('d', ['->', '2nd']), name: '2nd' }]],
    ['d->"a.b,c"', [{ field: json('d', ['->', 'a.b,c']), name: 'a.b,c' }]],
    [
      'x:d->>a::int,e',
      [
        { field: json('d', ['->>', 'a']), name: 'x', cast: 'int' },
        { field: column('e'), name: 'e' },
      ],
    ],
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
    ['d->', 'PGRST100'],
    ['d->""', 'PGRST100'],
    [`d->${'é'.repeat(32)}`, 'PGRST100'],
    ['d->a:x', 'PGRST100'],
    [`d${'->a'.repeat(21)}`, 'PGRST127'],
    ['a(b)', 'PGRST127'],
    ['a!inner(b)', 'PGRST127'],
    ['x:a(b)', 'PGRST127'],
    ['...a', 'PGRST127'],
    ['id.sum()', 'PGRST127'],
    ['d->a.sum()', 'PGRST127'],
    ['slug::int.sum()', 'PGRST127'],
    ['slug::regclass', 'PGRST127'],
    ['slug::constructor', 'PGRST127'],
  ])('%j is refused with %s', (text, code) => {
    expect(() => parseSelection(text)).toThrow(expect.objectContaining({ code }))
  })

  it('reads hostile text in no time that grows with its square', () => {
    // 30,000 characters: an expression that looks back would take seconds, and the test would time out.
    const texts = ['\\"'.repeat(15_000), '"'.repeat(30_000), '("'.repeat(15_000), ':'.repeat(30_000)]
    for (const text of [...texts, 'a->'.repeat(10_000), `a${'-'.repeat(30_000)}>`, `${' '.repeat(30_000)},`])
      expect(() => parseSelection(text)).toThrow(expect.objectContaining({ name: 'RestError' }))
  })
})
