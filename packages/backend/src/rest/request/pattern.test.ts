import { describe, expect, it } from 'vitest'
import { parseFilters } from './filter.js'

const parse = (...operations: string[]) => parseFilters(operations.map((operation) => ['name', operation]))

describe('patterns', () => {
  it.each([
    'match.^[a-z]{2,8}$',
    'imatch.(\\w{1,15}){1,15}',
    'match.\\\\1',
    'match.\\0',
    'match.{',
    `match.${'a?'.repeat(2500)}`,
  ])('%s may be asked for', (operation) => {
    expect(parse(operation)).toHaveLength(1)
  })

  it.each([
    'match.((a{1,255}){1,255})',
    'imatch.(a{255}){255}',
    'not.match.(a{255,}){255}',
    'match(any).{(a{200}){200},x}',
    'match.(a)\\1',
    'match.\\\\\\1',
    `match.${'a?'.repeat(2501)}`,
    `match.${'\\\\'.repeat(2000)}\\1`,
  ])('%s is refused', (operation) => {
    expect(() => parse(operation)).toThrow(expect.objectContaining({ code: 'PGRST127' }))
  })

  it('weigh together', () => {
    const operation = 'match.(a{9}){9}'
    expect(parse(...Array(6).fill(operation))).toHaveLength(6)
    expect(() => parse(...Array(7).fill(operation))).toThrow(expect.objectContaining({ code: 'PGRST127' }))
    const tree = `(${Array(7).fill('name.match."(a{9}){9}"').join(',')})`
    expect(() => parseFilters([['or', tree]])).toThrow(expect.objectContaining({ code: 'PGRST127' }))
  })

  it('are what match and imatch take, and nothing else', () => {
    expect(parse('eq.(a)\\1', 'like.((a{1,255}){1,255})')).toHaveLength(2)
  })
})
