import { expect, it } from 'vitest'
import { methodLabel, routeGroupOf, statusLabel } from './route-group.js'

it.each([
  ['/jane-doe', 'page'],
  ['/', 'page'],
  ['/-', 'page'],
  ['/-/assets/index-1.js', 'assets'],
  ['/-/backend/functions/v1/call-me', 'webhook'],
  ['/-/backend/rest/v1/visitors', 'backend'],
  ['/-/backend/auth/v1/token', 'auth'],
  ['/-/platform/call/web', 'platform'],
  ['/-/calls/0b0b/events', 'live'],
  ['/-/health', 'health'],
  ['/-/metrics', 'health'],
  ['/-/made-up-by-a-stranger', 'other'],
])('%s belongs to %s', (path, group) => {
  expect(routeGroupOf(path)).toBe(group)
})

it('no client can add a value: methods and statuses are closed lists', () => {
  expect(['GET', 'PROPFIND', 'get', undefined].map(methodLabel)).toEqual(['GET', 'other', 'other', 'other'])
  expect([statusLabel(204, false), statusLabel(503, false), statusLabel(200, true)]).toEqual([
    '2xx',
    '5xx',
    'gone',
  ])
})
