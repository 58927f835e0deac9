import { ConnectionError, InvalidRequestError, PlatformError, TimeoutError } from '@heyline/platform-client'
import { describe, expect, it } from 'vitest'
import { judgeFailure } from './placing-failure.js'

const context = { method: 'POST', path: '/call' } as const
const answered = (status: number, retryAfter?: number) =>
  new PlatformError({ ...context, status, retryAfter, code: 'some_code', message: 'Some text' })
const connectionFailed = (cause: object) =>
  new ConnectionError({ ...context, cause: new TypeError('fetch failed', { cause }) })

describe('judgeFailure', () => {
  it.each([400, 401, 402, 403, 404, 409, 422])('takes %i as a definite refusal', (status) => {
    expect(judgeFailure(answered(status))).toEqual({
      kind: 'refused',
      reason: `platform_${status}_some_code: Some text`,
    })
  })

  it('takes 429 as a refusal that passes', () => {
    expect(judgeFailure(answered(429))).toMatchObject({ kind: 'retryable', retryAfterMs: 0 })
    expect(judgeFailure(answered(429, 2))).toMatchObject({ kind: 'retryable', retryAfterMs: 2000 })
  })

  it('leaves it open after a 503 with a time to come back: a platform may place and answer so', () => {
    expect(judgeFailure(answered(503, 2)).kind).toBe('unknown')
  })

  it.each([200, 302, 408, 500, 501, 502, 503, 504])('leaves it open after %i', (status) => {
    expect(judgeFailure(answered(status)).kind).toBe('unknown')
  })

  it('tells a connection that never stood from one that was cut', () => {
    expect(judgeFailure(connectionFailed({ code: 'ECONNREFUSED', syscall: 'connect' })).kind).toBe(
      'retryable',
    )
    expect(judgeFailure(connectionFailed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })).kind).toBe(
      'retryable',
    )
    expect(judgeFailure(connectionFailed({ code: 'ECONNRESET', syscall: 'read' })).kind).toBe('unknown')
    expect(judgeFailure(connectionFailed({ code: 'UND_ERR_SOCKET' })).kind).toBe('unknown')
  })

  it('leaves it open after a timeout and after anything else', () => {
    expect(judgeFailure(new TimeoutError(10, context)).kind).toBe('unknown')
    expect(judgeFailure(new DOMException('late', 'TimeoutError'))).toEqual({
      kind: 'unknown',
      reason: 'platform_no_answer: TimeoutError',
    })
    expect(judgeFailure('text').kind).toBe('unknown')
  })

  it('takes a request that could not be built as refused', () => {
    expect(judgeFailure(new InvalidRequestError('invalid_body', 'No', context)).kind).toBe('refused')
  })
})
