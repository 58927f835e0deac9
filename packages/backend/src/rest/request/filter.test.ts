import { describe, expect, it } from 'vitest'
import { parseFilters } from './filter.js'

const parse = (query: string) => parseFilters(new URLSearchParams(query))

describe('filters', () => {
  it('are what is no other parameter', () => {
    expect(parse('select=a&order=a&limit=1&offset=1&columns=a&on_conflict=a')).toEqual([])
  })

  it.each([
    ['slug=eq.a.b', { column: 'slug', negated: false, operator: 'eq', value: 'a.b' }],
    ['slug=eq.', { column: 'slug', negated: false, operator: 'eq', value: '' }],
    ['slug=not.eq.a', { column: 'slug', negated: true, operator: 'eq', value: 'a' }],
    ['slug=eq.not.a', { column: 'slug', negated: false, operator: 'eq', value: 'not.a' }],
    ['slug=eq."a"', { column: 'slug', negated: false, operator: 'eq', value: '"a"' }],
    ['slug=ilike.a%0Ab', { column: 'slug', negated: false, operator: 'ilike', value: 'a\nb' }],
    ['listed=is.TRUE', { column: 'listed', negated: false, operator: 'is', value: 'true' }],
    ['name=not.is.null', { column: 'name', negated: true, operator: 'is', value: 'null' }],
    ['slug=in.(a,"b,c",)', { column: 'slug', negated: false, operator: 'in', values: ['a', 'b,c', ''] }],
    ['slug=in.()', { column: 'slug', negated: false, operator: 'in', values: [] }],
    ['"a.b"=lt.1', { column: 'a.b', negated: false, operator: 'lt', value: '1' }],
  ])('%s', (query, filter) => {
    expect(parse(query)).toEqual([filter])
  })

  it.each([
    ['slug', 'PGRST100'],
    ['slug=a', 'PGRST100'],
    ['slug=eq', 'PGRST100'],
    ['slug=EQ.a', 'PGRST100'],
    ['slug=not.not.eq.a', 'PGRST100'],
    ['slug=constructor.a', 'PGRST100'],
    ['slug=is.maybe', 'PGRST100'],
    ['slug=in.a', 'PGRST100'],
    ['and=(a.eq.1)', 'PGRST127'],
    ['not.or=(a.eq.1)', 'PGRST127'],
    ['slug=eq(any).{a}', 'PGRST127'],
    ['slug=wfts.a', 'PGRST127'],
    ['a->b=eq.1', 'PGRST127'],
    ['a.b=eq.1', 'PGRST127'],
  ])('%s is refused with %s', (query, code) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ code }))
  })
})
