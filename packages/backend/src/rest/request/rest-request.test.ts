import { describe, expect, it } from 'vitest'
import { parsePath } from './rest-request.js'

describe('the path', () => {
  it.each([
    ['/things', 'things', false],
    ['/things/', 'things', false],
    ['/my%20things', 'my things', false],
    ['/rpc', 'rpc', false],
    ['/rpc/add', 'add', true],
    ['/rpc/a%2Fb', 'a/b', true],
  ])('%s', (path, name, isFunction) => {
    expect(parsePath(path)).toEqual({ name, isFunction })
  })

  it.each([
    ['/', 'PGRST126'],
    ['/things/1', 'PGRST125'],
    ['/rpc/add/1', 'PGRST125'],
    ['/%zz', 'PGRST125'],
  ])('%s is refused with %s', (path, code) => {
    expect(() => parsePath(path)).toThrow(expect.objectContaining({ code }))
  })
})
