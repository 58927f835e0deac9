import { describe, expect, it } from 'vitest'
import { exactPattern, slugOf } from './slug.js'

describe('slugOf', () => {
  it.each([
    ['/', 'default'],
    ['', 'default'],
    ['//ada', 'default'],
    ['/ada', 'ada'],
    ['/Ada/anything/else', 'Ada'],
    ['/caf%C3%A9', 'café'],
    ['/a%20b', 'a b'],
    ['/a%2Fb', 'a/b'],
    ['/100%25', '100%'],
    ['/%2541', '%41'],
    ['/m%C3%BCnchen', 'münchen'],
    ['/-', '-'],
    ['/-a/', '-a'],
  ])('of %j is %j', (pathname, slug) => {
    expect(slugOf(pathname)).toBe(slug)
  })

  it.each(['/%', '/%E0%A4%A', '/%ff', '/a%00b', '/-/', '/-/assets'])(
    'of %j is none: the page is not found',
    (pathname) => {
      expect(slugOf(pathname)).toBeUndefined()
    },
  )
})

describe('exactPattern', () => {
  it('escapes what a pattern match would read as a wildcard', () => {
    expect(exactPattern('a_b%c\\d')).toBe('a\\_b\\%c\\\\d')
    expect(exactPattern('ada')).toBe('ada')
  })

  it('refuses the asterisk, which cannot be escaped', () => {
    expect(exactPattern('a*')).toBeUndefined()
  })
})
