import { describe, expect, it } from 'vitest'
import { parseOrder } from './order.js'

describe('order', () => {
  it.each([
    [null, []],
    ['', []],
    ['slug', [{ column: 'slug', direction: 'asc' }]],
    ['slug.desc', [{ column: 'slug', direction: 'desc' }]],
    ['slug.nullsfirst', [{ column: 'slug', direction: 'asc', nulls: 'first' }]],
    [
      'a.desc.nullslast,"b.c".asc',
      [
        { column: 'a', direction: 'desc', nulls: 'last' },
        { column: 'b.c', direction: 'asc' },
      ],
    ],
  ])('%j', (text, order) => {
    expect(parseOrder(text)).toEqual(order)
  })

  it.each([
    ['.', 'PGRST100'],
    ['a,', 'PGRST100'],
    ['a.up', 'PGRST127'],
    ['a->b.desc', 'PGRST127'],
    ['others(id)', 'PGRST127'],
  ])('%j is refused with %s', (text, code) => {
    expect(() => parseOrder(text)).toThrow(expect.objectContaining({ code }))
  })
})
