import { randomUUID } from 'node:crypto'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type RunningAuth, runAuth } from '../../testing/running-auth.js'

describe.each(DATABASES)('administering accounts, on $name', ({ open }) => {
  let auth: RunningAuth
  beforeAll(async () => {
    auth = await runAuth({ open })
  })
  beforeEach(() => auth.db.exec('delete from auth.users'))
  afterEach(() => expect(auth.log).toEqual([]))
  afterAll(() => auth.close())
  const api = () => auth.admin.auth.admin
  const NOT_FOUND = { status: 404, code: 'user_not_found', message: 'User not found' }

  it('makes an account', async () => {
    const id = randomUUID()
    const { data, error } = await api().createUser({
      id,
      email: ' Ada@Example.com ',
      password: PASSWORD,
      email_confirm: true,
      phone: '+12025550123',
      user_metadata: { name: 'Ada' },
      app_metadata: { team: 'a' },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      id,
      email: 'ada@example.com',
      phone: '12025550123',
      email_confirmed_at: expect.any(String),
      user_metadata: { name: 'Ada' },
      app_metadata: { provider: 'email', providers: ['email'], team: 'a' },
    })
  })

  it.each([
    ['an e-mail address that is taken', { email: 'ADA@example.com' }, { status: 422, code: 'email_exists' }],
    [
      'a telephone number that is taken',
      { email: 'b@example.com', phone: '12025550123' },
      { status: 422, code: 'phone_exists' },
    ],
    ['no e-mail address', { phone: '+12025550124' }, { status: 400, code: 'validation_failed' }],
    ['a wrong e-mail address', { email: 'ada' }, { status: 400, code: 'validation_failed' }],
    [
      'a short password',
      { email: 'b@example.com', password: 'short' },
      { status: 422, code: 'weak_password' },
    ],
    [
      'another role',
      { email: 'b@example.com', role: 'service_role' },
      { status: 400, code: 'validation_failed' },
    ],
    [
      'a hash',
      { email: 'b@example.com', password_hash: '$2a$10$x' },
      { status: 400, code: 'validation_failed' },
    ],
    [
      'a wrong ban',
      { email: 'b@example.com', ban_duration: 'long' },
      { status: 400, code: 'validation_failed' },
    ],
    [
      'large metadata',
      { email: 'b@example.com', app_metadata: { a: 'x'.repeat(4_000) } },
      { status: 422, code: 'validation_failed' },
    ],
    [
      'a NUL character',
      { email: 'b@example.com', user_metadata: { a: 'a\0b' } },
      { status: 400, code: 'validation_failed' },
    ],
  ])('refuses %s', async (_, attributes, error) => {
    await api().createUser({ email: 'ada@example.com', phone: '+12025550123' })
    expect((await api().createUser(attributes)).error).toMatchObject(error)
    const { rows } = await auth.db.query('select from auth.users')
    expect(rows).toHaveLength(1)
  })

  it('lists accounts page by page', async () => {
    for (let number = 0; number < 5; number += 1) {
      auth.clock.advance(1)
      await api().createUser({ email: `user${number}@example.com` })
    }
    const pages = [1, 2, 3, 4].map((page) => api().listUsers({ page, perPage: 2 }))
    const lists = (await Promise.all(pages)).map(({ data, error }) => {
      expect(error).toBeNull()
      return data
    })
    expect(lists.map(({ users }) => users.map(({ email }) => email?.at(4)))).toEqual([
      ['0', '1'],
      ['2', '3'],
      ['4'],
      [],
    ])
    expect(lists[0]).toMatchObject({ total: 5, nextPage: 2, lastPage: 3, aud: 'authenticated' })
    expect((await api().listUsers()).data.users).toHaveLength(5)
  })

  it('shows, changes and deletes an account', async () => {
    const { id } = await auth.newUser('ada@example.com')
    expect((await api().getUserById(id)).data.user?.email).toBe('ada@example.com')
    const { data } = await api().updateUserById(id, {
      email: 'grace@example.com',
      user_metadata: { a: 1 },
      app_metadata: { team: 'b', providers: null },
    })
    expect(data.user).toMatchObject({
      email: 'grace@example.com',
      user_metadata: { a: 1 },
      app_metadata: { provider: 'email', team: 'b' },
    })
    expect(data.user?.app_metadata).not.toHaveProperty('providers')
    expect((await api().deleteUser(id)).error).toBeNull()
    expect((await api().getUserById(id)).error).toMatchObject(NOT_FOUND)
    for (const table of ['users', 'identities', 'sessions', 'one_time_tokens']) {
      const { rowCount } = await auth.db.query(`select from auth.${table}`)
      expect([table, rowCount]).toEqual([table, 0])
    }
  })

  it.each([
    ['a new password', { password: 'another fine password' }],
    ['a ban', { ban_duration: '1h30m' }],
  ])('%s ends all sessions and links', async (_, attributes) => {
    const { user, session } = await auth.signedIn()
    const { data } = await api().generateLink({ type: 'recovery', email: user.email })
    expect((await api().updateUserById(user.id, attributes)).error).toBeNull()
    expect((await auth.ask('GET', '/user', { token: session.access_token })).status).toBe(403)
    const link = { type: 'recovery', token_hash: data.properties?.hashed_token ?? '' } as const
    expect((await auth.browser().auth.verifyOtp(link)).error?.code).toBe('otp_expired')
  })

  it('ends sessions of whoever holds a token', async () => {
    const { session } = await auth.signedIn()
    expect((await api().signOut(session.access_token, 'global')).error).toBeNull()
    expect((await auth.ask('GET', '/user', { token: session.access_token })).status).toBe(403)
  })

  it('knows nobody', async () => {
    const id = randomUUID()
    expect((await api().getUserById(id)).error).toMatchObject(NOT_FOUND)
    expect((await api().updateUserById(id, { email: 'a@example.com' })).error).toMatchObject(NOT_FOUND)
    expect((await api().deleteUser(id)).error).toMatchObject(NOT_FOUND)
    expect((await api().deleteUser(id, true)).error).toMatchObject({ code: 'validation_failed' })
    const answer = await auth.ask('GET', '/admin/users/1', { token: 'sb_secret_that_only_the_server_knows' })
    expect([answer.status, await answer.json()]).toMatchObject([404, { msg: 'user_id must be an UUID' }])
  })

  const ROUTES = [
    ['GET', '/admin/users'],
    ['POST', '/admin/users'],
    ['GET', `/admin/users/${randomUUID()}`],
    ['PUT', `/admin/users/${randomUUID()}`],
    ['DELETE', `/admin/users/${randomUUID()}`],
    ['POST', '/admin/generate_link'],
    ['POST', '/invite'],
  ] as const

  it.each(ROUTES)('is for the secret key alone: %s %s', async (method, path) => {
    const { session } = await auth.signedIn()
    const body = method === 'GET' ? undefined : { email: 'eve@example.com', type: 'invite' }
    const asUser = await auth.ask(method, path, { body, token: session.access_token })
    expect([asUser.status, await asUser.json()]).toMatchObject([403, { error_code: 'not_admin' }])
    const asPublic = await auth.ask(method, path, { body, token: 'sb_publishable_of_the_tests' })
    expect(asPublic.status).toBe(403)
    expect((await auth.ask(method, path, { body })).status).toBe(401)
    const { rows } = await auth.db.query("select from auth.users where email = 'eve@example.com'")
    expect(rows).toHaveLength(0)
  })

  it('writes down what was done', async () => {
    await auth.db.exec('delete from auth.audit_log_entries')
    const { id } = await auth.newUser('ada@example.com')
    await api().updateUserById(id, { password: 'another fine password' })
    await api().deleteUser(id)
    const { rows } = await auth.db.query(
      'select payload, ip_address from auth.audit_log_entries order by created_at, id',
    )
    expect(JSON.stringify(rows)).not.toContain('another fine password')
    expect(rows).toHaveLength(3)
    for (const action of ['user_signedup', 'user_modified', 'user_deleted'])
      expect(rows).toContainEqual({
        ip_address: '192.0.2.1',
        payload: expect.objectContaining({
          action,
          actor_username: 'service_role',
          log_type: 'account',
          traits: expect.objectContaining({ user_id: id, user_email: 'ada@example.com' }),
        }),
      })
  })
})
