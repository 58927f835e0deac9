import { describe, expect, it } from 'vitest'
import { pathInApi } from './api-path.js'

describe('a path in the API', () => {
  it.each([
    ['/-/platform/call/web', '/call/web'],
    ['/-/platform/', '/'],
    ['/-/platform', '/'],
    ['/call/web', '/call/web'],
    ['/-/platforms/call', '/-/platforms/call'],
    ['/-/platform//call', '//call'],
    ['/-/platform/-/platform/call', '/-/platform/call'],
  ])('of %s is %s', (path, expected) => {
    expect(pathInApi(path)).toBe(expected)
  })
})
