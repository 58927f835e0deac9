import { expect, it } from 'vitest'
import { describeFactors, outcome } from '../../testing/factors.js'

describeFactors('the gates of second factors', (at) => {
  it('end other sessions at aal1 when one reaches aal2, and leave those at aal2', async () => {
    const email = await at.anyone()
    const first = await at.wire.signIn(email)
    const { factorId, secret } = await at.verified(first)
    const [low, second] = [await at.wire.signIn(email), await at.wire.signIn(email)]
    await second.auth.mfa.challengeAndVerify({ factorId, code: at.shown(secret) })
    expect((await first.auth.getUser()).error).toBeNull()
    expect((await second.auth.getUser()).error).toBeNull()
    expect((await low.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  })

  it('remove unverified factors of the kind that was verified', async () => {
    const client = await at.wire.signIn(await at.anyone())
    await at.enrol(client, 'Left')
    const phone = await client.auth.mfa.enroll({
      factorType: 'phone',
      phone: '+12025550101',
      friendlyName: 'Phone',
    })
    const { factorId } = await at.verified(client)
    const { data } = await client.auth.mfa.listFactors()
    expect(data?.all.map(({ id }) => id).sort()).toEqual([factorId, phone.data?.id].sort())
  })

  it('end the refresh token from before, and leave the new one', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const before = (await client.auth.getSession()).data.session?.refresh_token ?? ''
    const { factorId, secret } = await at.enrol(client)
    await client.auth.mfa.challengeAndVerify({ factorId, code: at.shown(secret) })
    const elsewhere = at.wire.browser()
    expect(await outcome(elsewhere.auth.refreshSession({ refresh_token: before }))).toMatch(
      /^400 refresh_token_/,
    )
    expect(await outcome(client.auth.refreshSession())).toBe('ok')
  })

  it('keep a refreshed session at aal2', async () => {
    const client = await at.wire.signIn(await at.anyone())
    await at.verified(client)
    expect(await outcome(client.auth.refreshSession())).toBe('ok')
    expect(await at.levels(client)).toEqual(['aal2', 'aal2'])
  })

  it('ask for the second factor before a password is changed', async () => {
    const email = await at.anyone()
    await at.verified(await at.wire.signIn(email))
    const low = await at.wire.signIn(email)
    const password = 'another long password'
    expect(await outcome(low.auth.updateUser({ password }))).toMatch(/^401 insufficient_aal/)
  })

  it('open a row that a policy keeps for aal2', async () => {
    await at.wire.db.exec(`
      create table public.safe (content text);
      alter table public.safe enable row level security;
      grant select on public.safe to authenticated;
      create policy second on public.safe for select to authenticated using ((select auth.jwt() ->> 'aal') = 'aal2');
      insert into public.safe values ('gold')`)
    const client = await at.wire.signIn(await at.anyone())
    const seen = async () => (await client.from('safe').select()).data
    expect(await seen()).toEqual([])
    await at.verified(client)
    expect(await seen()).toEqual([{ content: 'gold' }])
  })

  it('let nobody enrol, verify or remove a factor at aal1 where one is verified', async () => {
    const email = await at.anyone()
    const attacker = await at.wire.signIn(email)
    const planted = await attacker.auth.mfa.enroll({
      factorType: 'phone',
      phone: '+12025550177',
      friendlyName: 'Planted',
    })
    const plantedId = String(planted.data?.id)
    const { factorId } = await at.verified(await at.wire.signIn(email))
    const { mfa } = (await at.wire.signIn(email)).auth
    expect(await outcome(mfa.enroll({ factorType: 'totp', friendlyName: 'New' }))).toBe(
      '403 insufficient_aal: AAL2 required to enroll a new factor',
    )
    expect(await outcome(mfa.unenroll({ factorId }))).toBe(
      '422 insufficient_aal: AAL2 required to unenroll verified factor',
    )
    const toVerify = '403 insufficient_aal: AAL2 required to verify a new factor'
    expect(await outcome(mfa.challenge({ factorId: plantedId }))).toBe(toVerify)
    expect(await outcome(mfa.verify({ factorId: plantedId, challengeId: plantedId, code: '123456' }))).toBe(
      toVerify,
    )
    expect(at.wire.texts.filter(({ to }) => to === '+12025550177')).toEqual([])
    expect(await outcome(mfa.unenroll({ factorId: plantedId }))).toBe('ok')
  })

  it("don't show that somebody else's factor is there", async () => {
    const { factorId, secret } = await at.verified(await at.wire.signIn(await at.anyone()))
    const { mfa } = (await at.wire.signIn(await at.anyone())).auth
    const asked = [
      mfa.challenge({ factorId }),
      mfa.verify({ factorId, challengeId: crypto.randomUUID(), code: at.shown(secret) }),
      mfa.unenroll({ factorId }),
    ]
    for (const answer of asked)
      expect(await outcome(answer)).toBe('404 mfa_factor_not_found: Factor not found')
    expect(await at.count('auth.mfa_factors where id = $1 and failures = 0', [factorId])).toBe(1)
  })

  it('know a factor by its id', async () => {
    const { mfa } = (await at.wire.signIn(await at.anyone())).auth
    expect(await outcome(mfa.challenge({ factorId: 'x' }))).toBe(
      '404 validation_failed: factor_id must be an UUID',
    )
  })

  it.each([
    ['POST', '/factors'],
    ['POST', '/factors/0dcc2d4c-1111-4222-8333-444444444444/challenge'],
    ['POST', '/factors/0dcc2d4c-1111-4222-8333-444444444444/verify'],
    ['DELETE', '/factors/0dcc2d4c-1111-4222-8333-444444444444'],
    ['POST', '/recovery_codes'],
  ])('are closed without a token: %s %s', async (method, path) => {
    const client = await at.wire.signIn(await at.anyone())
    expect(await at.ask(client, method, path, { token: 'x.y.z' })).toMatchObject({
      status: 403,
      body: { error_code: 'bad_jwt' },
    })
  })

  it('take no token from before the second factor for one', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const token = await at.tokenOf(client)
    const { factorId } = await at.verified(client)
    expect(await at.ask(client, 'DELETE', `/factors/${factorId}`, { token })).toMatchObject({
      status: 422,
      body: { error_code: 'insufficient_aal' },
    })
  })

  it('want another name for each factor', async () => {
    const client = await at.wire.signIn(await at.anyone())
    await at.enrol(client, 'Same')
    expect(await outcome(client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Same' }))).toBe(
      '422 mfa_factor_name_conflict: A factor with the friendly name "Same" for this user already exists',
    )
  })

  it('let ten factors in, also when more come at once', async () => {
    const { mfa } = (await at.wire.signIn(await at.anyone())).auth
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        outcome(mfa.enroll({ factorType: 'totp', friendlyName: `App ${n}` })),
      ),
    )
    const tooMany =
      '422 too_many_enrolled_mfa_factors: Maximum number of verified factors reached, unenroll to continue'
    expect(answers.sort()).toEqual([tooMany, tooMany, ...Array(10).fill('ok')])
  })

  it('forget what was begun and left', async () => {
    const client = await at.wire.signIn(await at.anyone())
    await at.enrol(client, 'Left')
    at.wire.clock.advance(300_001)
    await at.enrol(client, 'Left')
    expect((await client.auth.mfa.listFactors()).data?.all).toHaveLength(1)
  })

  it.each([
    [{ factor_type: 'smoke' }, 400, 'validation_failed'],
    [{}, 400, 'validation_failed'],
    [{ factor_type: 'webauthn' }, 422, 'mfa_webauthn_enroll_not_enabled'],
    [{ factor_type: 'totp', friendly_name: 7 }, 400, 'validation_failed'],
    [{ factor_type: 'totp', friendly_name: 'x'.repeat(65) }, 400, 'validation_failed'],
    [{ factor_type: 'totp', friendly_name: 'a\u0000b' }, 400, 'validation_failed'],
    [{ factor_type: 'totp', issuer: 'x'.repeat(65) }, 400, 'validation_failed'],
    [{ factor_type: 'phone' }, 400, 'validation_failed'],
    [{ factor_type: 'phone', phone: 'none' }, 400, 'validation_failed'],
    [{ factor_type: 'phone', phone: '+0123456789' }, 400, 'validation_failed'],
  ])('refuse to enrol %j', async (body, status, code) => {
    const client = await at.wire.signIn(await at.anyone())
    expect(await at.ask(client, 'POST', '/factors', { body })).toMatchObject({
      status,
      body: { error_code: code },
    })
  })

  it('take no empty code', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { factorId } = await at.enrol(client)
    expect(await outcome(client.auth.mfa.challengeAndVerify({ factorId, code: ' ' }))).toBe(
      '400 validation_failed: Code needs to be non-empty',
    )
  })

  it('are opened by the secret key for somebody whose phone is lost', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { factorId } = await at.verified(client)
    await at.recoveryCodes(client)
    const userId = await at.userIdOf(client)
    const { mfa } = at.wire.admin.auth.admin
    const { data } = await mfa.listFactors({ userId })
    expect(data?.factors).toMatchObject([{ id: factorId, status: 'verified', factor_type: 'totp' }])
    expect(JSON.stringify(data)).not.toContain('secret')
    expect(await outcome(mfa.deleteFactor({ userId: crypto.randomUUID(), id: factorId }))).toMatch(
      /^404 user_not_found/,
    )
    expect(await outcome(mfa.deleteFactor({ userId, id: factorId }))).toBe('ok')
    expect(await at.count('auth.recovery_codes where user_id = $1', [userId])).toBe(0)
    await client.auth.refreshSession()
    expect(await at.levels(client)).toEqual(['aal1', 'aal1'])
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', `/${factorId}`],
    ] as const)
      expect(await at.ask(client, method, `/admin/users/${userId}/factors${path}`)).toMatchObject({
        status: 403,
        body: { error_code: 'not_admin' },
      })
  })

  it('write down what is done, without secrets', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { factorId, secret } = await at.verified(client)
    const code = at.wrong(secret)
    await client.auth.mfa.challengeAndVerify({ factorId, code })
    const codes = await at.recoveryCodes(client)
    await client.auth.mfa.unenroll({ factorId })
    const { rows } = await at.wire.db.query<{ action: string; text: string; ip_address: string }>(
      `select payload ->> 'action' as action, payload::text as text, ip_address from auth.audit_log_entries
       where payload ->> 'actor_id' = $1 and payload ->> 'action' <> 'login'`,
      [await at.userIdOf(client)],
    )
    expect(rows.map(({ action }) => action).sort()).toEqual([
      'challenge_created',
      'challenge_created',
      'factor_in_progress',
      'factor_unenrolled',
      'generate_recovery_codes',
      'verification_attempted',
      'verification_attempted',
    ])
    expect(new Set(rows.map(({ ip_address }) => ip_address))).toEqual(new Set(['192.0.2.1']))
    for (const unsaid of [secret, code, ...codes]) expect(JSON.stringify(rows)).not.toContain(unsaid)
  })
})
