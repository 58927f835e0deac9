import { describe, expect, it } from 'vitest'
import { LinearRegex } from './linear-regex.js'

describe('LinearRegex', () => {
  it.each([
    ['number', {}, 'your number is', true],
    ['Number', {}, 'your number is', false],
    ['Number', { ignoreCase: true }, 'your number is', true],
    ['num', { wholeWord: true }, 'your number is', false],
    ['number|name', { wholeWord: true }, 'your name is', true],
    ['^your', {}, 'well\nyour name', false],
    ['^your', { multiLine: true }, 'well\nyour name', true],
    ['[\\u0400-\\u04ff]+$', {}, 'да', true],
    ['\\d{3}', {}, 'call 555', true],
  ])('finds %s with %j in "%s": %s', (source, switches, text, isIn) => {
    expect(new LinearRegex(source, switches).isIn(text)).toBe(isIn)
  })

  it.each(['(', '(?=x)a', '(a)\\1', '((a{1000}){1000})', '[z-a]'])('does not serve %s', (source) => {
    expect(new LinearRegex(source).cost).toBeUndefined()
  })

  it.each([
    `(${'a'.repeat(900)}){1000}`,
    'a{1000}'.repeat(125),
    `${'('.repeat(9)}${'a'.repeat(100)}${'){2}'.repeat(9)}`,
  ])('compiles nothing that would take long: %.40s', (source) => {
    expect(new LinearRegex(source).cost).toBeUndefined()
  })

  it('knows how much an expression costs, so that large ones can be refused', () => {
    expect(new LinearRegex('yes|no').cost).toBeLessThan(20)
    expect(new LinearRegex('(?:.{900})*x').cost).toBeGreaterThan(900)
    expect(new LinearRegex('(\\d{3}[ -]?){2}\\d{4}|(\\d{2}){5}').cost).toBeLessThan(100)
  })

  it('answers what an ordinary engine would take years for', () => {
    expect(new LinearRegex('^(([a-z])+.)+[A-Z]([a-z])+$').isIn('a'.repeat(300))).toBe(false)
    expect(new LinearRegex('(x+x+)+y').isIn('x'.repeat(300))).toBe(false)
  })

  it('looks at the end of a long text', () => {
    expect(new LinearRegex('begin').isIn(`begin${'.'.repeat(296)}`)).toBe(false)
    expect(new LinearRegex('end').isIn(`${'.'.repeat(10_000)}end`)).toBe(true)
  })
})
