import { describe, expect, it } from 'vitest'
import { secretKeyReason } from './secret-key.js'

const jwt = (claims: unknown) =>
  ['{"alg":"HS256"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

describe('secretKeyReason', () => {
  it.each([
    ['a new secret key', 'sb_secret_abcdef', 'sb_secret_'],
    ['a legacy service key', jwt({ iss: 'supabase', role: 'service_role' }), 'role service_role'],
    ['an administrator’s key', jwt({ role: 'supabase_admin' }), 'role supabase_admin'],
    ['a private platform token', jwt({ orgId: 'org', token: { tag: 'private' } }), 'private scope'],
  ])('tells %s', (_, key, reason) => {
    expect(secretKeyReason(key)).toContain(reason)
  })

  it.each([
    ['a publishable key', 'sb_publishable_abcdef'],
    ['a legacy anonymous key', jwt({ iss: 'supabase', role: 'anon' })],
    ['a public platform token', jwt({ orgId: 'org', token: { tag: 'public' } })],
    ['a key of no known form', '7a1c62a5-9c1d-4e0b-8a47-3c1f7d2c9b10'],
    ['what only looks like a JWT', 'a.b.c'],
    ['a JWT that says nothing', jwt(null)],
  ])('lets %s pass', (_, key) => {
    expect(secretKeyReason(key)).toBeUndefined()
  })
})
