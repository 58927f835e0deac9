import { describe, expect, it } from 'vitest'
import { parsePage } from './page.js'

const parse = (query: string, range: string | null = null) => parsePage(new URLSearchParams(query), range)

describe('a page', () => {
  it.each([
    ['', null, { offset: 0, limit: null }],
    ['limit=5', null, { offset: 0, limit: 5 }],
    ['limit=0', null, { offset: 0, limit: 0 }],
    ['offset=2&limit=5', null, { offset: 2, limit: 5 }],
    ['offset=-2', null, { offset: 0, limit: null }],
    ['offset=99999999999999999999', null, { offset: Number.MAX_SAFE_INTEGER, limit: null }],
    ['', '0-9', { offset: 0, limit: 10 }],
    ['', '5-', { offset: 5, limit: null }],
    ['', 'bytes=0-9', { offset: 0, limit: null }],
    ['offset=3&limit=5', '0-5', { offset: 3, limit: 3 }],
    ['limit=2', '4-9', { offset: 4, limit: 0 }],
  ])('%j with the range %j', (query, range, page) => {
    expect(parse(query, range)).toEqual(page)
  })

  it.each([
    ['limit=-1', null, 'PGRST103'],
    ['', '9-0', 'PGRST103'],
    ['limit=', null, 'PGRST100'],
    ['limit=1.5', null, 'PGRST100'],
    ['offset=x', null, 'PGRST100'],
  ])('%j with the range %j is refused with %s', (query, range, code) => {
    expect(() => parse(query, range)).toThrow(expect.objectContaining({ code }))
  })
})
