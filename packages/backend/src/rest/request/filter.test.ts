import { describe, expect, it } from 'vitest'
import { filterParameters, parseFilters } from './filter.js'

const parse = (query: string) => parseFilters(filterParameters(new URLSearchParams(query)))
const slug = { column: 'slug', path: [] }

describe('filters', () => {
  it('are what is no other parameter', () => {
    expect(parse('select=a&order=a&limit=1&offset=1&columns=a&on_conflict=a')).toEqual([])
  })

  it.each([
    ['slug=eq.a.b', { negated: false, operator: 'eq', value: 'a.b' }],
    ['slug=eq.', { negated: false, operator: 'eq', value: '' }],
    ['slug=not.eq.a', { negated: true, operator: 'eq', value: 'a' }],
    ['slug=eq.not.a', { negated: false, operator: 'eq', value: 'not.a' }],
    ['slug=eq."a"', { negated: false, operator: 'eq', value: '"a"' }],
    ['slug=ilike.a%0Ab', { negated: false, operator: 'ilike', value: 'a\nb' }],
    ['slug=imatch.^a,(b|c)$', { negated: false, operator: 'imatch', value: '^a,(b|c)$' }],
    ['slug=isdistinct.a', { negated: false, operator: 'isdistinct', value: 'a' }],
    ['slug=cs.{a,b}', { negated: false, operator: 'cs', value: '{a,b}' }],
    ['slug=is.TRUE', { negated: false, operator: 'is', value: 'true' }],
    ['slug=not.is.null', { negated: true, operator: 'is', value: 'null' }],
    ['slug=in.(a,"b,c",)', { negated: false, operator: 'in', values: ['a', 'b,c', ''] }],
    ['slug=in.("a\\"b\\\\",5"x,"y"z)', { negated: false, operator: 'in', values: ['a"b\\', '5"x', '"y"z'] }],
    ['slug=in.()', { negated: false, operator: 'in', values: [] }],
    ['slug=like(any).{a*,b*}', { negated: false, operator: 'like', quantifier: 'any', value: '{a*,b*}' }],
    ['slug=not.eq(all).{a,b}', { negated: true, operator: 'eq', quantifier: 'all', value: '{a,b}' }],
  ])('%s', (query, operation) => {
    expect(parse(query)).toEqual([{ field: slug, operation }])
  })

  it('name columns, and places in JSON', () => {
    const operation = { negated: false, operator: 'lt', value: '1' }
    expect(parse('"a.b"=lt.1')).toEqual([{ field: { column: 'a.b', path: [] }, operation }])
    expect(parse('data->0->>x=lt.1')).toEqual([
      {
        field: {
          column: 'data',
          path: [
            { arrow: '->', key: 0 },
            { arrow: '->>', key: 'x' },
          ],
        },
        operation,
      },
    ])
  })

  it.each([
    ['slug', 'PGRST100'],
    ['=eq.a', 'PGRST100'],
    ['slug=a', 'PGRST100'],
    ['slug=eq', 'PGRST100'],
    ['slug=EQ.a', 'PGRST100'],
    ['slug=not.not.eq.a', 'PGRST100'],
    ['slug=constructor.a', 'PGRST100'],
    ['slug=is.maybe', 'PGRST100'],
    ['slug=is.null,x', 'PGRST100'],
    ['slug=in.a', 'PGRST100'],
    ['slug=in.(a', 'PGRST100'],
    ['slug=in.(a)b', 'PGRST100'],
    ['slug=in(any).{a}', 'PGRST100'],
    ['slug=neq(any).{a}', 'PGRST100'],
    ['slug=eq(some).{a}', 'PGRST100'],
    ['a->b:c=eq.1', 'PGRST100'],
    ['slug=wfts.a', 'PGRST127'],
    ['slug=fts(english).a', 'PGRST127'],
    ['a.b=eq.1', 'PGRST127'],
    ['a->b.c=eq.1', 'PGRST127'],
  ])('%s is refused with %s', (query, code) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ code }))
  })

  it('say where they do not read', () => {
    expect(() => parse('slug=in.(a)b')).toThrow('"failed to parse filter (in.(a)b)" (line 1, column 7)')
  })
})
