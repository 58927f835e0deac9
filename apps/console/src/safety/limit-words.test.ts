import { expect, it } from 'vitest'
import { limitWords, spanWords } from './limit-words.js'

it('says in words how many of what in which time', () => {
  expect(limitWords('1/2m,3/24h,5/ever')).toEqual(['1 in 2 minutes', '3 in 24 hours', '5 ever'])
  expect(limitWords('20/1h')).toEqual(['20 in 1 hour'])
})

it('leaves what is no count in a span as it is', () => {
  expect(limitWords('US,CA')).toEqual(['US, CA'])
  expect(limitWords('3/1h:24h')).toEqual(['3/1h:24h'])
  expect(limitWords('08-20')).toEqual(['08-20'])
  expect(spanWords('now')).toBe('now')
})
