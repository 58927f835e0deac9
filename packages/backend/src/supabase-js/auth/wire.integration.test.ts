import { openTestDb } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authOptions, type RunningAuth, runAuth } from '../../testing/running-auth.js'
import { KEYS, runBackend } from '../../testing/running-backend.js'

let auth: RunningAuth
beforeAll(async () => {
  auth = await runAuth({ open: openTestDb })
})
afterAll(() => auth.close())

describe('what is not served', () => {
  const client = () => auth.browser().auth
  it.each([
    [
      'a sign-up',
      () => client().signUp({ email: 'a@example.com', password: 'a long password' }),
      'signup_disabled',
    ],
    ['an anonymous sign-in', () => client().signInAnonymously(), 'anonymous_provider_disabled'],
    ['a code', () => client().signInWithOtp({ email: 'a@example.com' }), 'otp_disabled'],
    ['a code by text message', () => client().signInWithOtp({ phone: '+12025550123' }), 'otp_disabled'],
    ['a mail once more', () => client().resend({ type: 'signup', email: 'a@example.com' }), 'otp_disabled'],
    ['single sign-on', () => client().signInWithSSO({ domain: 'example.com' }), 'saml_provider_disabled'],
    [
      'a phone',
      () => client().signInWithPassword({ phone: '+12025550123', password: 'x' }),
      'phone_provider_disabled',
    ],
  ])('auth-js: %s is one sentence at once', async (_, ask, code) => {
    const { error } = await ask()
    expect(error).toMatchObject({
      name: 'AuthApiError',
      status: 422,
      code,
      message: expect.stringMatching(/\w+ \w+/),
    })
  })

  it.each(['/authorize?provider=google', '/callback'])(
    'a browser that comes to %s hears why',
    async (path) => {
      const answer = await auth.ask('GET', path)
      expect([answer.status, await answer.json()]).toMatchObject([422, { error_code: 'provider_disabled' }])
    },
  )

  it('other paths and methods are 404 and 405', async () => {
    expect((await auth.ask('GET', '/nowhere')).status).toBe(404)
    expect((await auth.ask('POST', '/xwell-known/jwks.json')).status).toBe(404)
    const answer = await auth.ask('DELETE', '/user')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PUT'])
  })
})

describe('both formats of an error', () => {
  const wrong = { email: 'nobody@example.com', password: 'wrong password' }
  it('the newer one for who names it', async () => {
    const answer = await auth.ask('POST', '/token?grant_type=password', {
      body: wrong,
      headers: { 'x-supabase-api-version': '2024-01-01' },
    })
    expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect(await answer.json()).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
  })

  it('the older one for everybody else', async () => {
    const answer = await auth.ask('POST', '/token?grant_type=password', { body: wrong })
    expect(answer.headers.get('x-supabase-api-version')).toBeNull()
    expect(await answer.json()).toEqual({
      code: 400,
      error_code: 'invalid_credentials',
      msg: 'Invalid login credentials',
    })
  })
})

describe('a body', () => {
  const post = (body: string) =>
    fetch(`${auth.url}/auth/v1/token?grant_type=password`, { method: 'POST', body })
  it.each([
    ['that is no JSON', 'x', 400, 'bad_json'],
    ['that is a list', '[]', 400, 'bad_json'],
    ['that is deep', `{"a":${'['.repeat(30)}${']'.repeat(30)}}`, 400, 'bad_json'],
    ['that is long', `{"email":"${'x'.repeat(64_000)}"}`, 413, 'validation_failed'],
    ['of many small values', `{"data":[${'0,'.repeat(1_000)}0]}`, 413, 'validation_failed'],
    ['without fields', '{}', 400, 'validation_failed'],
    ['with other types', '{"email":{"a":1},"password":[2]}', 400, 'validation_failed'],
    ['with a NUL character', '{"email":"a\\u0000@example.com","password":"a long password"}', 400, undefined],
    ['with half a character', '{"email":"\\ud800@example.com","password":"a long password"}', 400, undefined],
  ])('%s is refused', async (_, body, status, code) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    if (code) expect(await answer.json()).toMatchObject({ error_code: code })
  })
})

it('says that it is there, and what it has', async () => {
  expect(await (await auth.ask('GET', '/health')).json()).toMatchObject({ name: 'GoTrue' })
  expect(await (await auth.ask('GET', '/settings')).json()).toMatchObject({
    disable_signup: true,
    external: { email: true, phone: false, anonymous_users: false },
  })
})

it('lets any origin read its headers', async () => {
  const answer = await auth.ask('GET', '/settings', { headers: { origin: 'https://static.example' } })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Total-Count')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

it("leaves a Supabase project's own auth alone", async () => {
  const backend = await runBackend({}, { auth: authOptions(auth.clock) })
  try {
    await backend.db.exec('alter table auth.signing_keys rename to keys_of_a_project')
    const { error } = await backend.client(KEYS.publishable).auth.signInWithPassword({
      email: 'a@example.com',
      password: 'a long password',
    })
    expect(error).toMatchObject({
      status: 422,
      code: 'not_served',
      message: "This database has a Supabase project's own auth: set SUPABASE_URL to use it",
    })
  } finally {
    await backend.close()
  }
})
