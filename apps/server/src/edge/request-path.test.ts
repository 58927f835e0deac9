import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { pathOf } from './request-path.js'

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
