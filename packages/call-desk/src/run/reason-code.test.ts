import { expect, it } from 'vitest'
import { reasonCode } from './error-code.js'

it.each([
  ['platform_400_bad_request: +14155552671', 'platform_400_bad_request'],
  ['platform_400_call_14155552671: No', 'platform_400'],
  ['platform_400_you_answer_for_acme: No', 'platform_400'],
  ['platform_400_bad_request\nmore: No', 'platform_400'],
  ['platform_429_http_429: No', 'platform_429'],
  ['platform_401: No', 'platform_401'],
  ['platform_unreachable: no connection', 'platform_unreachable'],
  ['visitor_not_found: the visitor is no more', 'visitor_not_found'],
])('of %j a log says %s', (reason, code) => {
  expect(reasonCode(reason)).toBe(code)
})
