import { describe, expect, it } from 'vitest'
import { parseOrder } from './order.js'

const column = (name: string) => ({ column: name, path: [] })

describe('order', () => {
  it.each([
    [null, []],
    ['', []],
    ['slug', [{ field: column('slug'), direction: 'asc' }]],
    ['slug.desc', [{ field: column('slug'), direction: 'desc' }]],
    ['slug.nullsfirst', [{ field: column('slug'), direction: 'asc', nulls: 'first' }]],
    [
      'a.desc.nullslast, "b.c".asc',
      [
        { field: column('a'), direction: 'desc', nulls: 'last' },
        { field: column('b.c'), direction: 'asc' },
      ],
    ],
    [
      'd->a->>0.desc',
      [
        {
          field: {
            column: 'd',
            path: [
              { arrow: '->', key: 'a' },
              { arrow: '->>', key: 0 },
            ],
          },
          direction: 'desc',
        },
      ],
    ],
  ])('%j', (text, order) => {
    expect(parseOrder(text)).toEqual(order)
  })

  it.each([
    ['.', 'PGRST100'],
    ['a,', 'PGRST100'],
    ['a.up', 'PGRST100'],
    ['a.nullsfirst.desc', 'PGRST100'],
    ['a::text', 'PGRST100'],
    ['others(id)', 'PGRST127'],
  ])('%j is refused with %s', (text, code) => {
    expect(() => parseOrder(text)).toThrow(expect.objectContaining({ code }))
  })
})
