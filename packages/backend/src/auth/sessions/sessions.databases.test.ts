import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { ManualClock } from '@heyline/kit/manual-clock'
import { Seal } from '@heyline/kit/seal'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Accounts } from '../accounts/accounts.js'
import { AccessTokens } from '../keys/access-tokens.js'
import { SigningKeys } from '../keys/signing-keys.js'
import { RefreshTokens } from './refresh-tokens.js'
import { Sessions } from './sessions.js'

const KEY = Buffer.alloc(32, 3)
const FACTOR = '00000000-0000-0000-0000-0000000000fa'

describe.each(DATABASES)('a session that gives the second factor, on $name', ({ open }) => {
  const clock = new ManualClock(Date.now())
  let db: Db
  let sessions: Sessions
  let userId: string
  beforeAll(async () => {
    db = await open()
    const keys = new SigningKeys({ db, seal: new Seal(KEY), clock })
    await keys.prepare()
    const tokens = new AccessTokens({ keys, issuer: 'https://heyline.example/auth/v1', clock })
    sessions = new Sessions({ db, tokens, refreshTokens: new RefreshTokens(KEY), clock })
  })
  beforeEach(async () => {
    await db.exec('delete from auth.users')
    const user = await new Accounts(clock).create(db, { email: 'ada@example.com', isConfirmed: true })
    userId = user.id
  })
  afterAll(() => db.close())

  const begin = () =>
    sessions.begin(db, userId, {
      method: 'password',
      address: '192.0.2.1',
      userAgent: 'test',
      known: 'address',
      lacksSecond: false,
    })
  const tokensOf = async (sessionId: string) => {
    const { access_token, refresh_token } = await sessions.tokenResponse(db, userId, sessionId)
    return { access: String(access_token), refresh: String(refresh_token) }
  }
  const raise = (sessionId: string, method = 'totp') =>
    sessions.raise(db, sessionId, { factorId: FACTOR, method })

  it('is aal2, and says how', async () => {
    const { id } = await begin()
    clock.advance(2_000)
    expect(await raise(id)).toMatchObject({
      aal: 'aal2',
      factor_id: FACTOR,
      amr: [{ method: 'totp' }, { method: 'password' }],
    })
    const { access } = await tokensOf(id)
    const request = new Request('https://heyline.example', { headers: { authorization: `Bearer ${access}` } })
    const { claims, session } = await sessions.authenticate(request)
    expect([claims.aal, session.aal]).toEqual(['aal2', 'aal2'])
  })

  it('remembers each way once, however often it is given', async () => {
    const { id } = await begin()
    for (let times = 0; times < 3; times += 1) await raise(id)
    const { amr } = await raise(id, 'mfa/phone')
    expect(amr.map(({ method }) => method)).toEqual(['mfa/phone', 'totp', 'password'])
  })

  it('gets nothing more for the refresh tokens from before', async () => {
    const { id } = await begin()
    const before = await tokensOf(id)
    await raise(id)
    const after = await tokensOf(id)
    await expect(sessions.refresh(before.refresh, '')).rejects.toMatchObject({
      code: 'refresh_token_already_used',
    })
    // A tab that had not heard of it yet ends nothing.
    const { refresh_token } = await sessions.refresh(after.refresh, '')
    clock.advance(10_001)
    await expect(sessions.refresh(before.refresh, '')).rejects.toMatchObject({
      code: 'refresh_token_already_used',
    })
    // Whoever comes with it later has a copy.
    await expect(sessions.refresh(String(refresh_token), '')).rejects.toMatchObject({
      code: 'refresh_token_not_found',
    })
  })

  it('and that was refreshed just before takes no second use of that either', async () => {
    const { id } = await begin()
    const before = await tokensOf(id)
    await sessions.refresh(before.refresh, '')
    await raise(id)
    await expect(sessions.refresh(before.refresh, '')).rejects.toMatchObject({
      code: 'refresh_token_already_used',
    })
  })
})
