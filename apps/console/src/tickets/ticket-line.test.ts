import { expect, it } from 'vitest'
import { aboutWords, categoryWords, subjectWords, writerWords } from './ticket-line.js'

it('says categories in plain words, and one that it does not know as it is', () => {
  expect(categoryWords({ category: 'doc-update' })).toBe('Documentation')
  expect(categoryWords({ category: 'weather' })).toBe('weather')
  expect(aboutWords({ bugSubcategory: 'latency' })).toBe('Slow answers')
  expect(aboutWords({ bugSubcategory: null })).toBeNull()
})

it('names who wrote it, where that is known', () => {
  expect(writerWords({ writtenBy: 'ada@example.com' })).toBe('ada@example.com')
  expect(writerWords({ writtenBy: null })).toBe('Somebody with a key')
})

it('leaves no ticket without something to press', () => {
  expect(subjectWords({ subject: '  Bread ', category: 'sales' })).toBe('Bread')
  expect(subjectWords({ subject: '  ', category: 'sales' })).toBe('Sales')
})
