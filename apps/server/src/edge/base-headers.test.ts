import { describe, expect, it } from 'vitest'
import { baseHeaders } from './base-headers.js'

const headersOf = (publicUrl: string, path: string) => Object.fromEntries(baseHeaders(publicUrl)(path))

describe('the headers that every answer begins with', () => {
  it.each([
    '/',
    '/acme',
    '/-/assets/page-12345678.js',
    '/-/office/backup',
    '/-/phone',
    '/-/health',
    '/-/hooks/x',
  ])('keep %s for our own pages', (path) =>
    expect(headersOf('http://localhost:3000', path)).toEqual({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    }),
  )

  it.each([
    '/-/backend/rest/v1/visitors',
    '/-/backend/functions/v1/call-me',
    '/-/platform/call/web',
    '/-/previews/acme.png',
    '/-/embed/heyline-call.js',
    '/-/human-check',
    '/-/calls/1/events',
  ])('let pages of other origins use %s', (path) =>
    expect(headersOf('http://localhost:3000', path)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    }),
  )

  it('have browsers come by https only, where that is the public address', () => {
    expect(headersOf('https://demo.example', '/acme')).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
    })
    expect(headersOf('http://demo.example', '/acme')).not.toHaveProperty('strict-transport-security')
  })
})
