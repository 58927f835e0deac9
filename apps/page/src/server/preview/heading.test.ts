import { describe, expect, it } from 'vitest'
import { headingOf, linesOf } from './heading.js'

/** Every character is half an em wide. */
const widthOf = (text: string) => text.length / 2
const heading = (text: string) => headingOf(text, 1000, widthOf)

describe('the heading', () => {
  it('is large and on one line for a short name', () => {
    expect(heading('Hey X,')).toEqual({ lines: ['Hey X,'], size: 112 })
  })

  it('shrinks on its line before it takes a second one', () => {
    expect(heading('Hey Riverside Dental,')).toEqual({ lines: ['Hey Riverside Dental,'], size: 88 })
  })

  it('has lines of about the same length', () => {
    expect(heading('Hey Riverside Dental Practice,').lines).toEqual(['Hey Riverside', 'Dental Practice,'])
  })

  it.each([1, 8, 30, 45, 60, 90, 200])('fits a name of %i letters, in words and in one', (length) => {
    for (const name of ['word '.repeat(40).slice(0, length), 'w'.repeat(length)]) {
      const { lines, size } = heading(`Hey ${name},`)
      expect(lines.length).toBeLessThanOrEqual(3)
      for (const line of lines) expect(widthOf(line) * size).toBeLessThanOrEqual(1000)
    }
  })

  it('cuts a word that is wider than a line, and loses none of it while there is room', () => {
    const { lines, size } = heading(`Hey ${'w'.repeat(60)},`)
    expect(lines.join('').replace(' ', '')).toBe(`Hey${'w'.repeat(60)},`)
    expect(size).toBe(54)
  })

  it('ends in an ellipsis where there is no room left', () => {
    const text = `Hey ${'word '.repeat(40).trim()},`
    const { lines } = heading(text)
    const last = lines.at(-1) ?? ''
    expect(last).toMatch(/d…$/)
    expect(text.startsWith(lines.join(' ').slice(0, -1))).toBe(true)
  })

  it('keeps the ellipsis at the end of right-to-left letters', () => {
    expect(heading(`Hey ${'מאפייה '.repeat(40)},`).lines.at(-1)).toMatch(/…\u200f$/)
  })

  it('breaks Chinese between any letters, but never before the comma', () => {
    const { lines } = heading(`Hey ${'山田'.repeat(12)},`)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('')).toBe(`Hey ${'山田'.repeat(12)},`)
    expect(lines.at(-1)).toMatch(/田,$/)
  })
})

it('sets a text on as few lines as it takes', () => {
  expect(linesOf('one two three four', 100, widthOf)).toEqual(['one two three four'])
  expect(linesOf('one two three four', 6, widthOf)).toEqual(['one two', 'three four'])
})
