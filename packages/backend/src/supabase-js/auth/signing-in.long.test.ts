import { randomUUID } from 'node:crypto'
import { DATABASES } from '@heyline/database/testing'
import type { AuthChangeEvent } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { PASSWORD, type RunningAuth, runAuth } from '../../testing/running-auth.js'

describe.each(DATABASES)('signing in, on $name', ({ open }) => {
  let auth: RunningAuth
  beforeAll(async () => {
    auth = await runAuth({ open })
  })
  afterEach(() => expect(auth.log).toEqual([]))
  afterAll(() => auth.close())

  it('gives a session with its user', async () => {
    const { email, id } = await auth.newUser()
    const { data, error } = await auth
      .browser()
      .auth.signInWithPassword({ email: email.toUpperCase(), password: PASSWORD })
    expect(error).toBeNull()
    expect(data.session).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: expect.any(Number),
      access_token: expect.any(String),
      refresh_token: expect.any(String),
    })
    expect(data.user).toMatchObject({
      id,
      email,
      aud: 'authenticated',
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
      identities: [{ provider: 'email', user_id: id, identity_data: { email, email_verified: true } }],
      is_anonymous: false,
      last_sign_in_at: expect.any(String),
    })
    expect(JSON.stringify(data)).not.toContain('argon2')
  })

  it('tells its events, and keeps the session', async () => {
    const { email } = await auth.newUser()
    const browser = auth.browser()
    const events: AuthChangeEvent[] = []
    const { data } = browser.auth.onAuthStateChange((event) => void events.push(event))
    await vi.waitFor(() => expect(events).toEqual(['INITIAL_SESSION']))
    await browser.auth.signInWithPassword({ email, password: PASSWORD })
    expect((await browser.auth.getSession()).data.session?.user.email).toBe(email)
    await browser.auth.refreshSession()
    await browser.auth.updateUser({ data: { name: 'Ada' } })
    await browser.auth.signOut()
    expect((await browser.auth.getSession()).data.session).toBeNull()
    data.subscription.unsubscribe()
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT'])
  })

  it('shows the user to whoever holds the token', async () => {
    const { browser, user } = await auth.signedIn()
    const { data, error } = await browser.auth.getUser()
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ id: user.id, email: user.email })
  })

  it('gives claims that the browser checks itself', async () => {
    const { browser, user } = await auth.signedIn()
    const { data, error } = await browser.auth.getClaims()
    expect(error).toBeNull()
    expect(data?.header).toMatchObject({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) })
    expect(data?.claims).toMatchObject({
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: user.email,
      phone: '',
      app_metadata: { provider: 'email' },
      user_metadata: {},
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      is_anonymous: false,
      iss: expect.stringContaining('/auth/v1'),
    })
    expect((data?.claims.exp ?? 0) - (data?.claims.iat ?? 0)).toBe(3600)
  })

  it('says at which level of assurance it is', async () => {
    const { browser } = await auth.signedIn()
    const { data } = await browser.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
  })

  it('refuses a wrong password and a stranger alike', async () => {
    const { email } = await auth.newUser()
    const tries = [email, 'nobody@example.com'].map((name) =>
      auth.browser().auth.signInWithPassword({ email: name, password: 'wrong password' }),
    )
    for (const { error, data } of await Promise.all(tries)) {
      expect(error).toMatchObject({
        name: 'AuthApiError',
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      })
      expect(data.session).toBeNull()
    }
  })

  it('refuses an account that is banned, or not confirmed, only to who knows its password', async () => {
    const { email, id } = await auth.newUser()
    await auth.admin.auth.admin.updateUserById(id, { ban_duration: '1h' })
    const signIn = (name: string, password: string) =>
      auth.browser().auth.signInWithPassword({ email: name, password })
    expect((await signIn(email, 'wrong password')).error?.code).toBe('invalid_credentials')
    expect((await signIn(email, PASSWORD)).error).toMatchObject({ status: 400, code: 'user_banned' })
    await auth.admin.auth.admin.updateUserById(id, { ban_duration: 'none' })
    expect((await signIn(email, PASSWORD)).error).toBeNull()

    await auth.admin.auth.admin.createUser({ email: 'new@example.com', password: PASSWORD })
    expect((await signIn('new@example.com', 'wrong password')).error?.code).toBe('invalid_credentials')
    expect((await signIn('new@example.com', PASSWORD)).error?.code).toBe('email_not_confirmed')
  })

  describe('signing out', () => {
    const alive = async (tokens: readonly string[]) => {
      const answers = await Promise.all(tokens.map((token) => auth.ask('GET', '/user', { token })))
      return answers.map(({ status }) => status)
    }
    const three = async () => {
      const { email } = await auth.newUser()
      const browsers = [auth.browser(), auth.browser(), auth.browser()]
      const tokens: string[] = []
      for (const { auth: tab } of browsers) {
        const { data } = await tab.signInWithPassword({ email, password: PASSWORD })
        tokens.push(data.session?.access_token ?? '')
      }
      return { browser: browsers[1] ?? auth.browser(), tokens }
    }

    it.each([
      ['global', [403, 403, 403]],
      ['local', [200, 403, 200]],
      ['others', [403, 200, 403]],
    ] as const)('%s', async (scope, left) => {
      const { browser, tokens } = await three()
      expect((await browser.auth.signOut({ scope })).error).toBeNull()
      expect(await alive(tokens)).toEqual(left)
    })

    it('takes no other scope', async () => {
      const { session } = await auth.signedIn()
      const answer = await auth.ask('POST', '/logout?scope=all', { token: session.access_token })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { code: 400, error_code: 'validation_failed', msg: 'Unsupported logout scope "all"' },
      ])
    })
  })

  it('lists the own sessions, and ends one of them', async () => {
    const { user, session } = await auth.signedIn()
    const other = auth.browser({ address: '2001:db8::1' })
    const { data } = await other.auth.signInWithPassword({ email: user.email, password: PASSWORD })
    const list = async () => (await auth.ask('GET', '/sessions', { token: session.access_token })).json()
    const sessions = await list()
    expect(sessions).toHaveLength(2)
    expect(sessions).toContainEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      refreshed_at: expect.any(String),
      user_agent: expect.any(String),
      ip: '2001:db8::1',
      aal: 'aal1',
      current: false,
    })
    const { id } = sessions.find(({ current }: { current: boolean }) => !current)
    const { session: stranger } = await auth.signedIn()
    await auth.ask('DELETE', `/sessions/${id}`, { token: stranger.access_token })
    expect(await list()).toHaveLength(2)
    expect((await auth.ask('DELETE', `/sessions/${id}`, { token: session.access_token })).status).toBe(204)
    expect(await list()).toMatchObject([{ current: true }])
    expect((await other.auth.getUser(data.session?.access_token)).error).toMatchObject({
      name: 'AuthSessionMissingError',
    })
  })

  it('keeps the newest 50 sessions of an account', async () => {
    const { user, session } = await auth.signedIn()
    await auth.db.query(
      `insert into auth.sessions (user_id, refreshed_at) select $1, now() - interval '1 day' from generate_series(1, 60)`,
      [user.id],
    )
    await auth.browser().auth.signInWithPassword({ email: user.email, password: PASSWORD })
    const { rows } = await auth.db.query('select from auth.sessions where user_id = $1', [user.id])
    expect(rows).toHaveLength(50)
    expect((await auth.ask('GET', '/user', { token: session.access_token })).status).toBe(200)
  })

  describe('changing the own account', () => {
    it('takes a password, and ends all other sessions', async () => {
      const { browser, user, session } = await auth.signedIn()
      const other = auth.browser()
      await other.auth.signInWithPassword({ email: user.email, password: PASSWORD })
      expect((await browser.auth.updateUser({ password: 'another fine password' })).error).toBeNull()
      expect((await other.auth.getUser()).error).not.toBeNull()
      expect((await browser.auth.getUser(session.access_token)).error).toBeNull()
      expect(
        (await other.auth.signInWithPassword({ email: user.email, password: PASSWORD })).error?.code,
      ).toBe('invalid_credentials')
      const again = { email: user.email, password: 'another fine password' }
      expect((await other.auth.signInWithPassword(again)).error).toBeNull()
    })

    it.each([
      [
        'that is short',
        'short',
        { name: 'AuthWeakPasswordError', code: 'weak_password', reasons: ['length'] },
      ],
      ['that it has', PASSWORD, { status: 422, code: 'same_password' }],
      ['that is too long', 'x'.repeat(513), { status: 400, code: 'validation_failed' }],
    ])('refuses a password %s', async (_, password, error) => {
      const { browser } = await auth.signedIn()
      expect((await browser.auth.updateUser({ password })).error).toMatchObject(error)
    })

    it('keeps the e-mail address: nobody proves a new one', async () => {
      const { browser, user } = await auth.signedIn()
      expect((await browser.auth.updateUser({ email: `new.${user.email}` })).error).toMatchObject({
        status: 422,
        code: 'feature_disabled',
      })
      const { data } = await browser.auth.updateUser({ email: user.email.toUpperCase() })
      expect(data.user).toMatchObject({ email: user.email })
    })

    it('merges metadata, up to a bound', async () => {
      const { browser } = await auth.signedIn()
      await browser.auth.updateUser({ data: { a: 1, b: 2 } })
      const { data } = await browser.auth.updateUser({ data: { b: null, c: { d: 3 } } })
      expect(data.user?.user_metadata).toEqual({ a: 1, c: { d: 3 } })
      const { error } = await browser.auth.updateUser({ data: { long: 'x'.repeat(4_001) } })
      expect(error).toMatchObject({ status: 422, code: 'validation_failed' })
    })

    it('gives nobody rights', async () => {
      const { session } = await auth.signedIn()
      const body = { role: 'service_role', app_metadata: { admin: true }, aud: 'x', email_confirm: true }
      const answer = await auth.ask('PUT', '/user', { token: session.access_token, body })
      expect(await answer.json()).toMatchObject({
        role: 'authenticated',
        aud: 'authenticated',
        app_metadata: { provider: 'email', providers: ['email'] },
      })
    })

    it('has no phone', async () => {
      const { browser } = await auth.signedIn()
      const { error } = await browser.auth.updateUser({ phone: '+12025550123' })
      expect(error).toMatchObject({ status: 422, code: 'phone_provider_disabled' })
    })
  })

  it('writes down who came and went', async () => {
    const { browser, user } = await auth.signedIn()
    await browser.auth.signOut()
    const { rows } = await auth.db.query(
      `select payload ->> 'action' as action, payload ->> 'actor_username' as actor, ip_address
       from auth.audit_log_entries where payload ->> 'actor_id' = $1 order by created_at, id`,
      [user.id],
    )
    expect(rows).toEqual(
      expect.arrayContaining([
        { action: 'login', actor: user.email, ip_address: '192.0.2.1' },
        { action: 'logout', actor: user.email, ip_address: '192.0.2.1' },
      ]),
    )
  })

  describe('of one account', () => {
    const lines = async (id: string, action: string) => {
      const { rowCount } = await auth.db.query(
        "select from auth.audit_log_entries where payload ->> 'actor_id' = $1 and payload ->> 'action' = $2",
        [id, action],
      )
      return rowCount
    }

    it('writes nothing down where no session ends', async () => {
      const { user, session } = await auth.signedIn()
      const token = session.access_token
      for (const [method, path] of [
        ['DELETE', `/sessions/${randomUUID()}`],
        ['POST', '/logout?scope=others'],
      ] as const)
        expect((await auth.ask(method, path, { token })).status).toBe(204)
      expect(await lines(user.id, 'logout')).toBe(0)
      await auth.browser().auth.signInWithPassword({ email: user.email, password: PASSWORD })
      expect((await auth.ask('POST', '/logout?scope=others', { token })).status).toBe(204)
      expect(await lines(user.id, 'logout')).toBe(1)
    })

    it('writes two hundred sign-ins a day down, and as many sign-outs', async () => {
      const { user } = await auth.signedIn()
      await auth.db.query(
        `insert into auth.audit_log_entries (payload, ip_address)
         select jsonb_build_object('action', action, 'actor_id', $1::text), '192.0.2.1'
         from unnest(array['login', 'logout']) action, generate_series(1, 198)`,
        [user.id],
      )
      for (let times = 0; times < 3; times += 1) {
        const browser = auth.browser()
        const { error } = await browser.auth.signInWithPassword({ email: user.email, password: PASSWORD })
        expect(error).toBeNull()
        expect((await browser.auth.signOut({ scope: 'local' })).error).toBeNull()
      }
      expect(await lines(user.id, 'login')).toBe(200)
      expect(await lines(user.id, 'logout')).toBe(200)
    })
  })

  it('writes refused sign-ins down, of accounts that there are and of others, and not without end', async () => {
    const { email, id } = await auth.newUser()
    const refusals = async () => {
      const { rows } = await auth.db.query<{ who: string; id: string; ip_address: string; count: number }>(
        `select payload ->> 'actor_username' as who, payload ->> 'actor_id' as id, ip_address, count(*)::int as count
         from auth.audit_log_entries where payload ->> 'action' = 'login_refused' group by 1, 2, 3 order by 1`,
      )
      return rows
    }
    await auth.db.exec("delete from auth.audit_log_entries where payload ->> 'action' = 'login_refused'")
    const address = '198.51.100.77'
    for (const name of [email, 'nobody@example.com'])
      await auth.browser({ address }).auth.signInWithPassword({ email: name, password: 'wrong password' })
    expect(await refusals()).toEqual([
      {
        who: 'nobody@example.com',
        id: '00000000-0000-0000-0000-000000000000',
        ip_address: address,
        count: 1,
      },
      { who: email, id, ip_address: address, count: 1 },
    ])
    const fill = (count: number, from: string) =>
      auth.db.exec(
        `insert into auth.audit_log_entries (payload, ip_address)
         select '{"action": "login_refused", "actor_username": "filled"}', '${from}' from generate_series(1, ${count})`,
      )
    const isWritten = async (from: string) => {
      const before = (await refusals()).reduce((sum, { count }) => sum + count, 0)
      await auth
        .browser({ address: from })
        .auth.signInWithPassword({ email: `${from}@example.com`, password: 'wrong password' })
      return (await refusals()).reduce((sum, { count }) => sum + count, 0) > before
    }
    await fill(48, address)
    expect([await isWritten(address), await isWritten('198.51.100.78')]).toEqual([false, true])
    await fill(1_000, '198.51.100.79')
    expect(await isWritten('198.51.100.80')).toBe(false)
  })
})
