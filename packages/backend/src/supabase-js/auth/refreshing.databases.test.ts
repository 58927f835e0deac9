import { DATABASES } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RunningAuth, runAuth } from '../../testing/running-auth.js'

describe.each(DATABASES)('refreshing a session, on $name', ({ open }) => {
  let auth: RunningAuth
  beforeAll(async () => {
    auth = await runAuth({ open })
  })
  afterEach(() => expect(auth.log).toEqual([]))
  afterAll(() => auth.close())

  const refresh = async (refresh_token: string) => {
    const { data, error } = await auth.browser().auth.refreshSession({ refresh_token })
    return { token: data.session?.refresh_token ?? '', access: data.session?.access_token ?? '', error }
  }
  const isAlive = async (token: string) => (await auth.ask('GET', '/user', { token })).status === 200
  const USED = {
    status: 400,
    code: 'refresh_token_already_used',
    message: 'Invalid Refresh Token: Already Used',
  }
  const UNKNOWN = { status: 400, code: 'refresh_token_not_found' }

  it('gives new tokens for the same session', async () => {
    const { session } = await auth.signedIn()
    const { token, access, error } = await refresh(session.refresh_token)
    expect(error).toBeNull()
    expect(token).not.toBe(session.refresh_token)
    const of = (jwt: string) =>
      JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).session_id
    expect(of(access)).toBe(of(session.access_token))
    expect((await refresh(token)).error).toBeNull()
  })

  it('serves two tabs that refresh at the same time', async () => {
    const { session } = await auth.signedIn()
    const tabs = await Promise.all(Array.from({ length: 5 }, () => refresh(session.refresh_token)))
    expect(tabs.map(({ error }) => error)).toEqual(tabs.map(() => null))
    expect(new Set(tabs.map(({ token }) => token)).size).toBe(1)
    auth.clock.advance(3_000)
    expect((await refresh(tabs[0]?.token ?? '')).error).toBeNull()
    auth.clock.advance(3_000)
    // The third tab was slow, and the second has refreshed again meanwhile.
    expect((await refresh(session.refresh_token)).error).toBeNull()
  })

  it('ends when somebody uses what somebody else has used', async () => {
    const { session, user } = await auth.signedIn()
    const stolen = session.refresh_token
    const { token, access } = await refresh(stolen)
    auth.clock.advance(10_001)
    expect(await isAlive(access)).toBe(true)
    expect((await refresh(stolen)).error).toMatchObject(USED)
    expect(await isAlive(access)).toBe(false)
    expect((await refresh(token)).error).toMatchObject(UNKNOWN)
    const { rows } = await auth.db.query(
      "select from auth.audit_log_entries where payload ->> 'action' = 'token_revoked' and payload ->> 'actor_id' = $1",
      [user.id],
    )
    expect(rows).toHaveLength(1)
  })

  it('leaves other sessions alone', async () => {
    const { session } = await auth.signedIn()
    const { session: other } = await auth.signedIn()
    await refresh(session.refresh_token)
    auth.clock.advance(60_000)
    await refresh(session.refresh_token)
    expect((await refresh(other.refresh_token)).error).toBeNull()
  })

  it('is refused to a banned account, and possible again afterwards', async () => {
    const { session, user } = await auth.signedIn()
    await auth.db.query("update auth.users set banned_until = now() + interval '1 hour' where id = $1", [
      user.id,
    ])
    expect((await refresh(session.refresh_token)).error).toMatchObject({ status: 400, code: 'user_banned' })
    await auth.db.query('update auth.users set banned_until = null where id = $1', [user.id])
    expect((await refresh(session.refresh_token)).error).toBeNull()
  })

  it('is over after 30 days without a use', async () => {
    const { session } = await auth.signedIn()
    auth.clock.advance(29 * 86_400_000)
    const { token, error } = await refresh(session.refresh_token)
    expect(error).toBeNull()
    auth.clock.advance(31 * 86_400_000)
    expect((await refresh(token)).error).toMatchObject(UNKNOWN)
  })

  it.each([
    ['too short', () => 'short', { status: 400, code: 'validation_failed' }],
    ['made up', () => 'x'.repeat(59), UNKNOWN],
    ['changed', (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, UNKNOWN],
    [
      'of another number',
      (token: string) => {
        const bytes = Buffer.from(token, 'base64url')
        bytes.writeUInt32BE(bytes.readUInt32BE(16) + 1, 16)
        return bytes.toString('base64url')
      },
      UNKNOWN,
    ],
    ['longer', (token: string) => `${token}AAAA`, UNKNOWN],
  ])('takes no token that is %s', async (_, change, error) => {
    const { session } = await auth.signedIn()
    expect((await refresh(change(session.refresh_token))).error).toMatchObject(error)
    expect(await isAlive(session.access_token)).toBe(true)
  })

  it('takes no other grant', async () => {
    const answer = await auth.ask('POST', '/token?grant_type=pkce', { body: {} })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error_code: 'validation_failed' }])
  })
})
