import { expect, it } from 'vitest'
import { pathPattern } from './path-pattern.js'

it.each([
  ['/', '/'],
  ['/jane-doe', '/{slug}'],
  ['/jane-doe/and/more', '/{slug}'],
  ['//jane-doe', '/{slug}'],
  ['/-', '/{slug}'],
  ['/-/previews/jane-doe.png', '/-/previews/*'],
  ['/-/console/visitors/jane-doe', '/-/console/*'],
  ['/-/assets/index-Ab12.js', '/-/assets/*'],
  ['/-/backend/rest/v1/visitors', '/-/backend/rest/v1/visitors'],
  ['/-/backend/functions/v1/call-me', '/-/backend/functions/v1/call-me'],
  ['/-/platform/call/7f1c0a3e-0000-4000-8000-000000000000', '/-/platform/call/*'],
  ['/-/calls/7f1c0a3e/events', '/-/calls/*/events'],
  ['/-/office/calls/export.csv', '/-/office/calls/export.csv'],
  ['/-/office/jane-doe', '/-/office/*'],
  ['/-/+14155552671', '/-/*'],
  ['/-/a/b/c/d/e/f/g/h/i/j', '/-/*/*/*/*/*/*/*/*/…'],
])('%s is told as %s', (path, pattern) => {
  expect(pathPattern(path)).toBe(pattern)
})
