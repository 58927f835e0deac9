import { operations } from '@heyline/platform-client'
import { describe, expect, it } from 'vitest'
import { needOf } from './role-table.js'

const pathOf = (path: string) => path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')

it.each([
  ['GET', '/tool', 'viewer', false],
  ['HEAD', '/tool', 'viewer', false],
  ['GET', '/template', 'editor', false],
  ['GET', '/template/pinned', 'editor', false],
  ['PATCH', '/session/1', 'editor', false],
  ['PATCH', '/assistant/1', 'admin', true],
  ['POST', '/analytics', 'editor', false],
  ['GET', '/v2/call', 'editor', false],
  ['GET', '/token', 'admin', false],
  ['POST', '/token', 'admin', true],
  ['POST', '/credential', 'admin', true],
  ['POST', '/org/1/invite', 'admin', true],
  ['GET', '/org/1/user', 'admin', false],
  ['GET', '/org/1/user/', 'admin', false],
  ['GET', '/org/1', 'viewer', false],
  ['DELETE', '/org/1/leave', 'viewer', true],
  ['DELETE', '/org/1/member/2/leave', 'admin', true],
  ['GET', '/voice-library/11labs', 'viewer', false],
  ['GET', '/make/workflows', 'admin', false],
  ['GET', '/make/workflows/9/hooks', 'admin', false],
  ['POST', '/11labs/voice/add', 'admin', true],
])('%s %s needs %s', (method, path, role, stepUp) => {
  expect(needOf(method, path)).toEqual({ role, stepUp })
})

it.each([
  ['POST', '/call'],
  ['POST', '/call/web'],
  ['POST', '/call/1/control'],
  ['POST', '/campaign'],
  ['POST', '/chat'],
  ['POST', '/chat/responses'],
  ['POST', '/test-suite/1/run'],
  ['POST', '/workflow/generate'],
  ['GET', '/new-family'],
  ['GET', '/constructor'],
  ['GET', '/'],
  ['GET', '/%74oken'],
  ['GET', '/tool//token'],
  ['GET', '//token'],
])('no member may ask %s %s', (method, path) => {
  expect(needOf(method, path)).toBeUndefined()
})

describe('every operation of the platform', () => {
  it('that asks a third party with a stored key needs an admin, who has just confirmed what it changes', () => {
    const asking = operations.filter(({ path }) => /^\/\{provider\}\/|^\/11labs\/|library\/sync/.test(path))
    expect(asking).toHaveLength(10)
    for (const { method, path } of asking)
      expect([path, needOf(method, pathOf(path))]).toEqual([
        path,
        { role: 'admin', stepUp: method !== 'GET' },
      ])
  })

  it('that changes something needs more than a viewer, but for leaving', () => {
    const open = operations
      .filter(({ method, path }) => method !== 'GET' && needOf(method, pathOf(path))?.role === 'viewer')
      .map(({ method, path }) => `${method} ${path}`)
    expect(open.toSorted()).toEqual(['DELETE /org/{id}/leave'])
  })

  it('of tokens, credentials and people that changes something needs an admin who has just confirmed it', () => {
    for (const { method, path } of operations)
      if (/^\/(token|credential|org)/.test(path) && method !== 'GET' && !path.endsWith('{id}/leave'))
        expect([path, needOf(method, pathOf(path))]).toEqual([path, { role: 'admin', stepUp: true }])
  })
})
