import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import { AccessTokens } from './access-tokens.js'

const URL_OF_WIRE = 'https://project.example/auth/v1'
const ID = '00000000-0000-4000-8000-000000000001'
const claims = { sub: ID, aal: 'aal2', role: 'authenticated' }
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let jwk: Record<string, unknown>
let jwksStatus = 200
const tokens = () =>
  new AccessTokens({
    url: URL_OF_WIRE,
    issuers: [URL_OF_WIRE],
    fetch: async () => Response.json({ keys: [jwk] }, { status: jwksStatus }),
  })
const built = (more: JWTPayload = {}) =>
  new SignJWT({ iss: URL_OF_WIRE, aud: 'authenticated', exp: Date.now() / 1000 + 60, ...claims, ...more })
const signed = (more?: JWTPayload, kid = 'one') =>
  built(more).setProtectedHeader({ alg: 'ES256', kid }).sign(keys.privateKey)
const codeOf = (token: string) =>
  tokens()
    .read(token)
    .then(
      () => 'taken',
      (error) => error.code,
    )

beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true })
  jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
})

it('reads what the keys of the project have signed', async () => {
  expect(await tokens().read(await signed())).toEqual({ userId: ID, aal: 'aal2', enteredAt: 0 })
})

it.each([
  [9_000, { aal: 'aal1', amr: [{ method: 'password', timestamp: 9 }] }],
  [0, { aal: 'aal2', amr: [{ method: 'password', timestamp: 9 }] }],
  [
    7_000,
    {
      amr: [
        { method: 'totp', timestamp: 7 },
        { method: 'password', timestamp: 9 },
      ],
    },
  ],
  [5_000, { amr: [{ method: 'mfa/phone', timestamp: 5 }] }],
  [0, { amr: 'totp' }],
  [0, { amr: [{ method: 'totp', timestamp: Date.now() / 1000 + 86_400 }] }],
])('knows that the second factor, or the password, was entered at %i ms', async (enteredAt, more) =>
  expect(await tokens().read(await signed(more))).toMatchObject({ enteredAt }),
)

it.each([
  ['of another issuer', { iss: 'https://evil.example/auth/v1' }],
  ['for others', { aud: 'anon' }],
  ['that has ended', { exp: 1 }],
  ['of a clock that ran ahead', { iat: Date.now() / 1000 + 86_400, exp: Date.now() / 1000 + 90_000 }],
  ['of nobody', { sub: 'admin' }],
])('refuses a token %s', async (_, more) => expect(await codeOf(await signed(more))).toBe('unauthorized'))

it('refuses a token of an unknown key', async () =>
  expect(await codeOf(await signed({}, 'two'))).toBe('unauthorized'))

it('refuses a token that another key has signed under this name', async () => {
  const { privateKey } = await generateKeyPair('ES256')
  expect(await codeOf(await built().setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey))).toBe(
    'unauthorized',
  )
})

it('refuses a token that nobody has signed', async () => {
  const token = new UnsecuredJWT({
    iss: URL_OF_WIRE,
    aud: 'authenticated',
    exp: Date.now(),
    ...claims,
  }).encode()
  expect(await codeOf(token)).toBe('unauthorized')
})

it.each([
  ['of another issuer', { iss: 'https://evil.example/auth/v1' }],
  ['that has ended', { exp: 1 }],
  ['of a clock that ran ahead', { iat: Date.now() / 1000 + 86_400, exp: Date.now() / 1000 + 90_000 }],
])('refuses a token of an older project %s', async (_, more) => {
  const token = await built(more).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
  expect(await codeOf(token)).toBe('unauthorized')
})

it('takes no token of a shared secret where there is none', async () => {
  const token = await built().setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
  const options = {
    url: URL_OF_WIRE,
    issuers: [URL_OF_WIRE],
    fetch: async () => Response.json({ keys: [jwk] }),
  }
  expect(await new AccessTokens(options).read(token)).toMatchObject({ userId: ID })
  await expect(new AccessTokens({ ...options, hasSharedSecret: false }).read(token)).rejects.toMatchObject({
    code: 'unauthorized',
  })
})

it('tells keys that cannot be had from a token that is not good', async () => {
  const token = await signed()
  jwksStatus = 503
  expect(await codeOf(token)).toBe('accounts_unreachable')
  jwksStatus = 200
})
