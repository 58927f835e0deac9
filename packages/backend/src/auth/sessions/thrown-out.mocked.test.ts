import { openTestDb } from '@heyline/database/testing'
import * as argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PASSWORD, type RunningAuth, runAuth, type SignedInBrowser } from '../../testing/running-auth.js'

vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof argon2>()
  return { ...real, hash: vi.fn(real.hash) }
})

let auth: RunningAuth
beforeAll(async () => {
  auth = await runAuth({ open: openTestDb })
})
afterAll(() => auth.close())

const signIn = (email: string, password: string) =>
  auth.ask('POST', '/token?grant_type=password', { body: { email, password }, address: '203.0.113.5' })

/** Somebody changes the password, and while it is hashed, `meanwhile` happens. */
async function changeWhile({ session }: SignedInBrowser, meanwhile: () => Promise<void>): Promise<Response> {
  vi.mocked(argon2.hash).mockImplementationOnce(async (...given) => {
    await meanwhile()
    return await argon2.hash(...given)
  })
  return await auth.ask('PUT', '/user', {
    token: session.access_token,
    body: { password: 'a thief of horses', data: { by: 'a thief' } },
  })
}

it('a password that is chosen in a session that is thrown out meanwhile is not stored', async () => {
  const someone = await auth.signedIn()
  const { id, email } = someone.user
  const changed = await changeWhile(someone, async () => {
    const { error } = await auth.admin.auth.admin.updateUserById(id, { password: 'an honest horse' })
    expect(error).toBeNull()
  })
  expect(changed.status).toBe(403)
  expect(await changed.json()).toMatchObject({ code: 403, error_code: 'session_not_found' })
  expect((await signIn(email, 'a thief of horses')).status).toBe(400)
  const answer = await signIn(email, 'an honest horse')
  expect(answer.status).toBe(200)
  expect((await answer.json()).user.user_metadata).toEqual({})
})

it('nor is one without the second factor that the account has got meanwhile', async () => {
  const someone = await auth.signedIn()
  const { id, email } = someone.user
  const changed = await changeWhile(someone, async () => {
    await auth.db.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, phone)
       values (gen_random_uuid(), $1, 'phone', 'phone', 'verified', '+12025550123')`,
      [id],
    )
  })
  expect(changed.status).toBe(401)
  expect(await changed.json()).toMatchObject({ error_code: 'insufficient_aal' })
  expect((await signIn(email, PASSWORD)).status).toBe(200)
})

it('but one in a session that goes on is', async () => {
  const someone = await auth.signedIn()
  const changed = await changeWhile(someone, async () => {})
  expect(changed.status).toBe(200)
  expect((await signIn(someone.user.email, 'a thief of horses')).status).toBe(200)
})
