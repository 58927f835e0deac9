import { PlatformError } from '@heyline/platform-client'
import { expect, it } from 'vitest'
import { errorCode } from './error-code.js'

const answered = (code: string) =>
  new PlatformError({ method: 'GET', path: '/call', status: 400, code, message: 'Call +14155552671' })

it.each([
  ['text', 'string'],
  [new TypeError('secret'), 'TypeError'],
  [Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), 'Error ECONNREFUSED'],
  [answered('bad_request'), 'PlatformError bad_request'],
  [answered('call_14155552671'), 'PlatformError 400'],
])('of %s a log says %s', (error, code) => {
  expect(errorCode(error)).toBe(code)
})
