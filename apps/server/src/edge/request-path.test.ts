import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { pathOf } from './request-path.js'

it.each([
  ['/-/admin?x=1', '/-/admin'],
  ['/a/../-/admin', '/-/admin'],
  ['/%2D/admin', '/-/admin'],
  // Not a host with a path.
  ['//x/-/admin', '//x/-/admin'],
  ['http://localhost/-/admin', '/-/admin'],
  ['*', ''],
  ['/%zz', '/%zz'],
])('%s is the path %s', (url, path) => {
  expect(pathOf({ url } as IncomingMessage)).toBe(path)
})
