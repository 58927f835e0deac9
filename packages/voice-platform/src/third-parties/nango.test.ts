import { expect, it, vi } from 'vitest'
import { guardedFetch } from '../tools/guarded-fetch.js'
import { credentialIdOf } from './consents.js'
import { Nango } from './nango.js'

const CONSENT = { provider: 'slack.oauth2-authorization', connectionId: 'c1' } as const
const never = () => Promise.reject(new Error('Nobody is asked here.'))

it('is asked at its own address where no other one is stored', async () => {
  const fetch = vi.fn(async (..._: Parameters<typeof globalThis.fetch>) =>
    Response.json({ data: { token: 't1', expires_at: '2026-01-01T00:00:00.000Z' } }, { status: 201 }),
  )
  const nango = new Nango({ apiKey: 'a-key' }, { fetch, guardedFetch: never })
  expect(await nango.session(CONSENT.provider, 'org-1')).toBe('t1')
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(String(url)).toBe('https://api.nango.dev/connect/sessions')
  expect(new Headers(init?.headers).get('authorization')).toBe('Bearer a-key')
  expect(JSON.parse(String(init?.body))).toEqual({
    ...{ end_user: { id: 'org-1' }, organization: { id: 'org-1' } },
    allowed_integrations: [CONSENT.provider],
  })
})

it('of one’s own is asked below its path', async () => {
  const guarded = vi.fn(async (..._: Parameters<typeof globalThis.fetch>) => new Response('null'))
  const nango = new Nango(
    { apiKey: 'a-key', url: 'https://a.example/nango/?x=y' },
    { fetch: never, guardedFetch: guarded },
  )
  await nango.trigger(CONSENT, 'post', {})
  expect(String(guarded.mock.calls[0]?.[0])).toBe('https://a.example/nango/action/trigger')
})

it.each(['http://127.0.0.1:1', 'https://10.0.0.1', 'http://nango.example'])(
  'at %s is not asked unless private networks are permitted',
  async (url) => {
    const guarded = guardedFetch({ allowPrivate: false })
    const nango = new Nango({ apiKey: 'a-key', url }, { fetch: never, guardedFetch: guarded })
    await expect(nango.session(CONSENT.provider, 'org-1')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('TOOLS_ALLOW_PRIVATE=on'),
    })
  },
)

it('gives each connection an id of its own', () => {
  const id = credentialIdOf(CONSENT)
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(credentialIdOf({ ...CONSENT })).toBe(id)
  expect(credentialIdOf({ ...CONSENT, connectionId: 'c2' })).not.toBe(id)
})
