import { describe, expect, it } from 'vitest'
import { parseTree } from './condition.js'

const parse = (text: string) => parseTree('or', false, text).conditions
const eq = (name: string, value: string) => ({
  field: { column: name, path: [] },
  operation: { negated: false, operator: 'eq', value },
})
/** The values of the conditions, for lists of comparisons. */
const values = (text: string) =>
  parse(text).map(
    (condition) => 'operation' in condition && 'value' in condition.operation && condition.operation.value,
  )

describe('a tree', () => {
  it('holds conditions', () => {
    expect(parseTree('and', true, '(a.eq.1,b.eq.2)')).toEqual({
      logic: 'and',
      negated: true,
      conditions: [eq('a', '1'), eq('b', '2')],
    })
  })

  it('holds trees', () => {
    expect(parse('(a.eq.1,not.and(b.eq.2,or(c.eq.3)))')).toEqual([
      eq('a', '1'),
      {
        logic: 'and',
        negated: true,
        conditions: [eq('b', '2'), { logic: 'or', negated: false, conditions: [eq('c', '3')] }],
      },
    ])
  })

  it('may have a column called and', () => {
    expect(parse('(and.eq.1)')).toEqual([eq('and', '1')])
  })

  it('takes blanks around its signs', () => {
    expect(parse(' ( a.eq.1 , or ( b.eq.2 ) ) ')).toEqual([
      eq('a', '1 '),
      { logic: 'or', negated: false, conditions: [eq('b', '2 ')] },
    ])
  })

  it.each([
    ['(a.eq."x,y)",b.eq.z)', ['x,y)', 'z']],
    ['(a.eq."x\\"y\\\\",b.eq.z)', ['x"y\\', 'z']],
    ['(a.eq.x"y,b.eq."z"w)', ['x"y', '"z"w']],
    ['(a.eq.,b.eq.)', ['', '']],
    ['(a.cs.{1,2},b.cd.{"x,y"})', ['{1,2}', '{"x,y"}']],
    ['(a.like(any).{x*,y*})', ['{x*,y*}']],
    ['(a.eq.b.c)', ['b.c']],
    ['("a.b".eq.1,d->>"c.d".eq.2,d->0.eq.3)', ['1', '2', '3']],
  ])('reads the values of %s', (text, found) => {
    expect(values(text)).toEqual(found)
  })

  it('reads lists and states', () => {
    expect(parse('(a.in.(1,"2,3"),b.not.is.null)')).toMatchObject([
      { operation: { operator: 'in', values: ['1', '2,3'] } },
      { operation: { operator: 'is', negated: true, value: 'null' } },
    ])
  })

  const deep = (levels: number) => `${'(or'.repeat(levels - 1)}(a.eq.1${')'.repeat(levels)}`
  it('is twenty levels deep at most', () => {
    expect(parse(deep(20))).toHaveLength(1)
    expect(() => parse(deep(21))).toThrow(expect.objectContaining({ code: 'PGRST127' }))
    expect(() => parse(deep(8000))).toThrow(expect.objectContaining({ code: 'PGRST127' }))
  })

  it.each([
    '',
    '()',
    'a.eq.1',
    '(a.eq.1',
    '(a.eq.1))',
    '(a.eq.1)x',
    '(a)',
    '(a.eq)',
    '(a.foo.1)',
    '(a.eq.1,)',
    '(,)',
    '(or)',
    '(not.a.eq.1)',
  ])('%j does not read', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  })

  it('reads hostile text in no time that grows with its square', () => {
    const texts = ['(a.eq."'.repeat(4000), `(a.in.(${'"a,'.repeat(10_000)}`, `(a.in.(${'"\\",'.repeat(8000)}`]
    for (const text of [...texts, `(${' '.repeat(30_000)}`, `(a.eq.{${'{'.repeat(30_000)}`])
      expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'RestError' }))
  })
})
