import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { pathOf, queryOf } from './request-path.js'

it.each([
  ['/-/office?x=1', '/-/office'],
  ['/a/../-/office', '/-/office'],
  ['/%2D/office', '/-/office'],
  // Not a host with a path.
  ['//x/-/office', '//x/-/office'],
  ['http://localhost/-/office', '/-/office'],
  ['*', ''],
  ['/%zz', '/%zz'],
])('%s is the path %s', (url, path) => {
  expect(pathOf({ url } as IncomingMessage)).toBe(path)
})

it.each([
  ['/token?grant_type=password', 'password'],
  ['/token?grant%5ftype=pass%77ord#x', 'password'],
  ['//x/token?grant_type=password', 'password'],
  ['/token', null],
  ['*', null],
])('%s has the grant %s', (url, grant) => {
  expect(queryOf({ url } as IncomingMessage).get('grant_type')).toBe(grant)
})
