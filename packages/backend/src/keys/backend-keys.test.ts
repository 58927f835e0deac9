import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createKeyCheck } from './backend-keys.js'

const KEYS = {
  publishable: 'sb_publishable_1',
  secret: 'sb_secret_1',
  jwtSecret: 'thirty-two-characters-of-a-secret',
}
const identify = createKeyCheck(KEYS)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ask = (headers: Record<string, string>) => identify(new Headers(headers))

const sign = (
  claims: Record<string, unknown>,
  { secret = KEYS.jwtSecret, expires = '1h', from = '-1s' } = {},
) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(expires)
    .setNotBefore(from)
    .sign(new TextEncoder().encode(secret))

describe('keys', () => {
  it.each([
    ['apikey', { apikey: KEYS.publishable }, 'anon'],
    ['bearer', bearer(KEYS.publishable), 'anon'],
    ['both', { apikey: KEYS.publishable, ...bearer(KEYS.publishable) }, 'anon'],
    ['the secret', { apikey: KEYS.secret, ...bearer(KEYS.secret) }, 'service_role'],
    ['the secret as bearer only', { authorization: `bearer ${KEYS.secret}` }, 'service_role'],
    ['an apikey beside another scheme', { apikey: KEYS.publishable, authorization: 'Basic eA==' }, 'anon'],
  ])('%s', async (_, headers, role) => {
    expect(await ask(headers)).toEqual({ role, claims: { role } })
  })

  it.each(['anon', 'authenticated', 'service_role'])('a legacy key with the role %s', async (role) => {
    const token = await sign({ role, sub: 'u1' })
    expect(await ask({ apikey: token })).toMatchObject({ role, claims: { role, sub: 'u1' } })
    expect(await ask({ apikey: KEYS.publishable, ...bearer(token) })).toMatchObject({ role })
  })

  it('a legacy key without a role is anonymous', async () => {
    expect(await ask(bearer(await sign({ sub: 'u1' })))).toMatchObject({
      role: 'anon',
      claims: { role: 'anon' },
    })
  })
})

describe('refused with 401', () => {
  const refused = async (headers: Record<string, string>, code: string, message: string) =>
    expect(ask(headers)).rejects.toMatchObject({ status: 401, code, message })
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('no key', () => refused({}, 'PGRST302', 'No API key found in request'))
  it('an empty key', () => refused({ apikey: '' }, 'PGRST302', 'No API key found in request'))
  it('a wrong key', () => refused({ apikey: 'sb_secret_2' }, 'PGRST301', 'Invalid API key'))
  it('a part of a key', () => refused({ apikey: 'sb_secret_' }, 'PGRST301', 'Invalid API key'))
  it('a good key beside a wrong token', () =>
    refused({ apikey: KEYS.secret, ...bearer('wrong') }, 'PGRST301', 'Invalid API key'))
  it('a good token beside a wrong key', () =>
    refused({ apikey: 'wrong', ...bearer(KEYS.secret) }, 'PGRST301', 'Invalid API key'))
  it('a token of somebody else', async () =>
    refused(
      bearer(await sign({ role: 'service_role' }, { secret: 'x'.repeat(32) })),
      'PGRST301',
      'No suitable key or wrong key type',
    ))
  it('a token that is over', async () =>
    refused(bearer(await sign({ role: 'anon' }, { expires: '-1h' })), 'PGRST303', 'JWT expired'))
  it('a token that has not begun', async () =>
    refused(
      bearer(await sign({ role: 'anon' }, { from: '1h', expires: '2h' })),
      'PGRST303',
      'JWT not yet valid',
    ))
  it.each(['postgres', 'authenticator', '', 7, false, ['anon']])('the role %j', async (role) =>
    refused(bearer(await sign({ role })), 'PGRST303', 'Parsing claims failed'),
  )
  it('a token whose role was changed', async () => {
    const [head, , signature] = (await sign({ role: 'anon' })).split('.')
    await refused(
      bearer(`${head}.${part({ role: 'service_role' })}.${signature}`),
      'PGRST301',
      'No suitable key or wrong key type',
    )
  })
  it('a token without a signature', () =>
    refused(
      bearer(`${part({ alg: 'none' })}.${part({ role: 'service_role' })}.`),
      'PGRST301',
      'Wrong or unsupported encoding algorithm',
    ))
  it('what only looks like a token', () =>
    refused(bearer('a.b.c'), 'PGRST301', 'No suitable key or wrong key type'))
})
