import { SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { describePlaces } from '../testing/places.js'
import { KEYS } from '../testing/running-backend.js'

const key = (claims: Record<string, unknown>, secret = KEYS.jwtSecret): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))

describePlaces('an error', (places) => {
  const ask = (
    path: string,
    apikey: string,
    init: { method?: string; headers?: Record<string, string> } = {},
  ) => fetch(`${places.backend.url}/rest/v1${path}`, { ...init, headers: { apikey, ...init.headers } })

  it.each<[string, string, string, Parameters<typeof ask>[2], number, string, string]>([
    ['the root', '/', KEYS.secret, {}, 404, 'PGRST126', 'Root endpoint metadata is disabled'],
    ['a long path', '/a/b', KEYS.secret, {}, 404, 'PGRST125', 'Invalid path specified in request URL'],
    [
      'another method',
      '/places',
      KEYS.secret,
      { method: 'REPORT' },
      405,
      'PGRST117',
      'Unsupported HTTP method: REPORT',
    ],
    [
      'another schema',
      '/places',
      KEYS.secret,
      { headers: { 'accept-profile': 'hidden' } },
      406,
      'PGRST106',
      'Invalid schema: hidden',
    ],
    ['no grant', '/stays', KEYS.publishable, {}, 401, '42501', 'permission denied for table stays'],
    ['a wrong key', '/places', 'nobody', {}, 401, 'PGRST301', 'Invalid API key'],
  ])(
    'of %s has PostgREST’s status, headers and body',
    async (_, path, apikey, init, status, code, message) => {
      const answer = await ask(path, apikey, init)
      const body: unknown = await answer.json()
      expect(body).toMatchObject({ code, message })
      expect(Object.keys(Object(body))).toEqual(['code', 'details', 'hint', 'message'])
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
      expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
    },
  )

  it('of a legacy key says what is wrong with it', async () => {
    const refusal = async (legacy: string) => {
      const { status, error } = await places.backend.client(legacy).from('places').select('id')
      return [status, error?.code, error?.message]
    }
    expect(await refusal(await key({ role: 'anon', exp: 1_000_000_000 }))).toEqual([
      401,
      'PGRST303',
      'JWT expired',
    ])
    expect(await refusal(await key({ role: 'postgres' }))).toEqual([401, 'PGRST303', 'Parsing claims failed'])
    expect(
      (await refusal(await key({ role: 'anon' }, 'another secret of 32 characters, or more'))).slice(0, 2),
    ).toEqual([401, 'PGRST301'])
  })

  it('of a missing grant is 403 for whoever has a role of its own', async () => {
    const client = places.backend.client(await key({ role: 'authenticated', sub: 'somebody' }))
    expect(await client.from('stays').select()).toMatchObject({ status: 403, error: { code: '42501' } })
  })

  it('does not come where a legacy key is good', async () => {
    const client = places.backend.client(await key({ role: 'service_role' }))
    expect((await client.from('places').select('id').eq('id', 1)).data).toEqual([{ id: 1 }])
  })

  it.each<[string, Parameters<typeof ask>[2]?]>([
    ['/stays?select=guest'],
    ['/stays?select=none'],
    ['/stays?none=eq.1'],
    ['/stays?guest=eq.1'],
    ['/stays?night=eq.x'],
    ['/stays?place=like.x'],
    ['/stays?order=none'],
    ['/stays?none=eq.1', { method: 'DELETE' }],
  ])('of a missing grant is the same whatever the table has: %s', async (path, init) => {
    const answer = await ask(path, KEYS.publishable, init)
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { code: '42501', details: null, hint: null, message: 'permission denied for table stays' },
    ])
  })

  it('of a missing grant is told only where the role may do nothing at all', async () => {
    const code = async (path: string) => (await (await ask(path, KEYS.publishable)).json()).code
    expect([await code('/places?select=none'), await code('/places?select=rating')]).toEqual([
      '42703',
      '42501',
    ])
  })

  it('to HEAD has no body', async () => {
    const answer = await ask('/nowhere', KEYS.secret, { method: 'HEAD' })
    expect([answer.status, answer.headers.get('proxy-status'), await answer.text()]).toEqual([
      404,
      'PostgREST; error=PGRST205',
      '',
    ])
  })

  it('leaves nothing behind in the session', async () => {
    expect(await places.client.from('places').update({ rating: 9 }).eq('id', 1)).toMatchObject({
      status: 400,
    })
    const { rows } = await places.backend.db.query(
      `select current_user = session_user as own, current_setting('request.jwt.claims', true) as claims,
         current_setting('transaction_read_only') as read_only`,
    )
    expect(rows).toEqual([{ own: true, claims: expect.toBeOneOf(['', null]), read_only: 'off' }])
    expect(places.backend.log).toEqual([])
  })
})
