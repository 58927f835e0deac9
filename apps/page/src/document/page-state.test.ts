import { describe, expect, it } from 'vitest'
import { stateOf, statusOf } from './page-state.js'

describe('the page’s state', () => {
  it('of a found visitor carries slug and name only', () => {
    const visitor = { slug: 'ada', name: 'Ada', system: 'secret', first_message: 'Hello' }
    expect(stateOf(visitor)).toEqual({ kind: 'main', visitor: { slug: 'ada', name: 'Ada' } })
  })

  it('has the HTTP status of its screen', () => {
    expect(statusOf({ kind: 'main', visitor: { slug: 'ada', name: 'Ada' } })).toBe(200)
    expect(statusOf({ kind: 'loading' })).toBe(200)
    expect(statusOf(stateOf(null))).toBe(404)
    expect(statusOf({ kind: 'not-found', reason: 'lookup-failed' })).toBe(503)
  })
})
