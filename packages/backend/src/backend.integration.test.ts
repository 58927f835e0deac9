import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBackend } from './backend.js'
import { KEYS, type RunningBackend, runBackend } from './testing/running-backend.js'

let backend: RunningBackend
beforeAll(async () => {
  backend = await runBackend({
    echo: async (request) =>
      Response.json(
        { method: request.method, path: new URL(request.url).pathname, body: await request.text() },
        { status: 202, headers: { 'x-echo': 'yes', 'access-control-allow-origin': 'https://other.example' } },
      ),
    broken: () => Promise.reject(new Error('out of luck')),
    relayed: (request) => fetch(new URL('/elsewhere', request.url)),
  })
})
afterAll(() => backend.close())

const get = (path: string, init?: RequestInit) => fetch(`${backend.url}${path}`, init)

describe('functions', () => {
  it('get the request as it is, without any key', async () => {
    const answer = await get('/functions/v1/echo', { method: 'POST', body: '{"phone":"+12025550123"}' })
    expect(answer.status).toBe(202)
    expect(answer.headers.get('x-echo')).toBe('yes')
    expect(await answer.json()).toEqual({
      method: 'POST',
      path: '/functions/v1/echo',
      body: '{"phone":"+12025550123"}',
    })
  })

  it('are called by the client', async () => {
    const { data, error } = await backend
      .client(KEYS.publishable)
      .functions.invoke('echo', { body: { a: 1 } })
    expect(error).toBeNull()
    expect(data).toMatchObject({ body: '{"a":1}' })
  })

  it.each(['nobody', '', 'toString', '__proto__', 'ECHO', '%00', '%zz'])('%j is not found', async (name) => {
    const answer = await get(`/functions/v1/${name}`, { method: 'POST' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      code: 'NOT_FOUND',
      message:
        'Requested function was not found. This server runs no functions but its own: echo, broken, relayed',
    })
  })

  it('that throw give 500 and one line in the log', async () => {
    backend.log.length = 0
    const answer = await get('/functions/v1/broken', { method: 'POST' })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({ code: 'WORKER_ERROR', message: expect.any(String) })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(backend.log).toHaveLength(1)
    expect(backend.log[0]).toMatchObject({ level: 50, function: 'broken', err: { message: 'out of luck' } })
  })
})

describe('any origin', () => {
  it.each(['/rest/v1/visitors', '/functions/v1/echo', '/auth/v1/token', '/elsewhere'])(
    'may ask before it asks: %s',
    async (path) => {
      const answer = await get(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://static.example',
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'apikey,authorization,x-visitor-slug',
        },
      })
      expect(answer.status).toBe(204)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'apikey,authorization,x-visitor-slug',
        'access-control-max-age': '86400',
        vary: 'access-control-request-headers',
      })
      const methods = answer.headers.get('access-control-allow-methods')?.split(', ')
      expect(methods).toEqual(expect.arrayContaining(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']))
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    },
  )

  it('is not told a list again that is too long for a head', async () => {
    const names = `apikey${',x-a'.repeat(300)}`
    const { headers } = await get('/rest/v1/visitors', {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': names },
    })
    expect(headers.get('access-control-allow-headers')).toBe('*')
  })

  it.each([
    ['/rest/v1/visitors', 401],
    ['/functions/v1/echo', 202],
    ['/functions/v1/nobody', 404],
    ['/functions/v1/relayed', 404],
    ['/storage/v1/bucket', 422],
    ['/elsewhere', 404],
  ])('may read the answer of %s (%i)', async (path, status) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('Content-Range')
  })
})

describe('below a base', () => {
  const below = (path: string) =>
    createBackend({
      db: backend.db,
      keys: KEYS,
      functions: {},
      base: '/-/backend',
      logger: pino({ level: 'silent' }),
    }).fetch(new Request(`http://heyline.example${path}`, { headers: { apikey: KEYS.publishable } }))

  it('everything is where it was', async () => {
    const answer = await below('/-/backend/rest/v1/visitors?select=slug')
    expect([answer.status, await answer.json()]).toEqual([200, [{ slug: 'default' }]])
  })

  it.each(['/rest/v1/visitors', '/-/backendrest/v1/visitors', '/-/backend', '/-/rest/v1/visitors'])(
    '%s is no route',
    async (path) => expect((await below(path)).status).toBe(404),
  )
})

describe('services that are not served', () => {
  it('auth says so in the shape of the version that its client names', async () => {
    const version = { 'x-supabase-api-version': '2024-01-01' }
    const answer = await get('/auth/v1/token', { method: 'POST', headers: version })
    expect(answer.status).toBe(422)
    expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect(await answer.json()).toEqual({ code: 'not_served', message: expect.any(String) })
  })

  it('auth says so in the older shape where no version is named', async () => {
    const answer = await get('/auth/v1/user')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toEqual({ code: 422, error_code: 'not_served', msg: expect.any(String) })
  })

  it('realtime says so', async () => {
    const answer = await get('/realtime/v1/api/broadcast', { method: 'POST' })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toEqual({ code: 'not_served', message: expect.any(String) })
  })

  it.each(['/', '/rest', '/rest/v1x/visitors', '/graphql/v1', '/hasOwnProperty/v1/x', '/rest/v2/visitors'])(
    '%s is no route',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, await answer.json()]).toEqual([404, { message: expect.any(String) }])
    },
  )
})
