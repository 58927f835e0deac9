import { expect, it } from 'vitest'
import { describeFactors, outcome, STEP_MS } from '../../testing/factors.js'

const INVALID = '422 mfa_verification_failed: Invalid TOTP code entered'

describeFactors('an authenticator app', (at) => {
  it('takes a session from aal1 to aal2, and back', async () => {
    const client = await at.wire.signIn(await at.anyone())
    expect(await at.levels(client)).toEqual(['aal1', 'aal1'])
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' })
    expect(data).toMatchObject({ type: 'totp', friendly_name: 'My phone' })
    expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]+<\/svg>$/)
    expect(data?.totp.uri).toContain('issuer=Heyline')
    expect(await at.levels(client)).toEqual(['aal1', 'aal1'])
    const factorId = String(data?.id)

    const challenged = await client.auth.mfa.challenge({ factorId })
    expect(challenged.data).toEqual({
      id: expect.any(String),
      type: 'totp',
      expires_at: Math.floor(at.wire.clock.now() / 1000) + 300,
    })
    const code = at.shown(String(data?.totp.secret))
    const answer = await client.auth.mfa.verify({
      factorId,
      challengeId: String(challenged.data?.id),
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect(answer.data).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
      user: {
        factors: [{ id: factorId, status: 'verified', factor_type: 'totp', friendly_name: 'My phone' }],
      },
    })
    expect(await at.levels(client)).toEqual(['aal2', 'aal2'])
    const level = await client.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(level.data?.currentAuthenticationMethods).toMatchObject([
      { method: 'totp' },
      { method: 'password' },
    ])

    expect(await client.auth.mfa.unenroll({ factorId })).toEqual({ data: { id: factorId }, error: null })
    const { rows } = await at.wire.db.query(
      'select aal, factor_id, amr from auth.sessions where user_id = $1',
      [await at.userIdOf(client)],
    )
    const amr = [expect.objectContaining({ method: 'password' })]
    expect(rows).toEqual([{ aal: 'aal1', factor_id: null, amr }])
  })

  it('is asked for at the next sign-in, and answered in one go', async () => {
    const email = await at.anyone()
    const { factorId, secret } = await at.verified(await at.wire.signIn(email))
    const client = await at.wire.signIn(email)
    expect(await at.levels(client)).toEqual(['aal1', 'aal2'])
    const code = at.shown(secret)
    expect(await outcome(client.auth.mfa.challengeAndVerify({ factorId, code }))).toBe('ok')
    expect(await at.levels(client)).toEqual(['aal2', 'aal2'])
  })

  it('is listed once it is verified', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { factorId, secret } = await at.verified(client)
    const other = await at.enrol(client, 'Tablet')
    const { data } = await client.auth.mfa.listFactors()
    expect(data?.totp.map(({ id }) => id)).toEqual([factorId])
    expect(data?.all.map(({ id }) => id)).toEqual([factorId, other.factorId])
    expect(JSON.stringify(data)).not.toContain(secret)
  })

  it('takes the codes of the neighbouring steps, and no other', async () => {
    const email = await at.anyone()
    const { factorId, secret } = await at.verified(await at.wire.signIn(email))
    at.wire.clock.advance(10 * STEP_MS)
    const client = await at.wire.signIn(email)
    const verify = (steps: number) =>
      outcome(client.auth.mfa.challengeAndVerify({ factorId, code: at.shown(secret, steps) }))
    expect([await verify(-2), await verify(2)]).toEqual([INVALID, INVALID])
    expect([await verify(-1), await verify(1)]).toEqual(['ok', 'ok'])
  })

  it('is good once for each code: not for a second challenge either', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { factorId, secret } = await at.enrol(client)
    const code = at.shown(secret)
    const [first, second] = [await at.challenge(client, factorId), await at.challenge(client, factorId)]
    const verify = (challengeId: string) => outcome(client.auth.mfa.verify({ factorId, challengeId, code }))
    const answered = '422 mfa_ip_address_mismatch: Challenge and verify IP addresses mismatch.'
    expect([await verify(first), await verify(first), await verify(second)]).toEqual([
      'ok',
      answered,
      answered,
    ])
    expect(await outcome(client.auth.mfa.challengeAndVerify({ factorId, code }))).toBe(INVALID)
  })

  it('lets one of ten sessions in that are given one code at once, by two processes', async () => {
    const email = await at.anyone()
    const { factorId, secret } = await at.verified(await at.wire.signIn(email))
    const clients = await at.tabs(email, 10)
    const challenges = await Promise.all(clients.map((client) => at.challenge(client, factorId)))
    const code = at.shown(secret)
    const answers = await Promise.all(
      clients.map((client, n) =>
        outcome(client.auth.mfa.verify({ factorId, challengeId: challenges[n] ?? '', code })),
      ),
    )
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1)
  })

  it('lets one of ten requests of one session in', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { factorId, secret } = await at.enrol(client)
    const body = { challenge_id: await at.challenge(client, factorId), code: at.shown(secret) }
    const verify = () => at.ask(client, 'POST', `/factors/${factorId}/verify`, { body })
    const statuses = (await Promise.all(Array.from({ length: 10 }, verify))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(422)])
  })

  it('is locked by five wrong codes, twice as long by the next, and opened by a right one', async () => {
    const email = await at.anyone()
    const { factorId, secret } = await at.verified(await at.wire.signIn(email))
    const client = await at.wire.signIn(email)
    const verify = (code: string) => outcome(client.auth.mfa.challengeAndVerify({ factorId, code }))
    const challengeId = await at.challenge(client, factorId)
    for (let n = 0; n < 5; n += 1) expect(await verify(at.wrong(secret))).toBe(INVALID)
    const locked = '429 over_request_rate_limit: Too many wrong codes: try again in a minute'
    const code = at.shown(secret)
    expect(await outcome(client.auth.mfa.verify({ factorId, challengeId, code }))).toBe(locked)
    expect(await outcome(client.auth.mfa.challenge({ factorId }))).toBe(locked)
    at.wire.clock.advance(60_000)
    expect(await verify(at.wrong(secret))).toBe(INVALID)
    expect(await verify(at.shown(secret))).toContain('Too many wrong codes: try again in 2 minutes')
    at.wire.clock.advance(120_000)
    expect(await verify(at.shown(secret))).toBe('ok')
    for (let n = 0; n < 4; n += 1) expect(await verify(at.wrong(secret))).toBe(INVALID)
    at.wire.clock.advance(STEP_MS)
    expect(await verify(at.shown(secret))).toBe('ok')
  })

  it('counts all wrong codes that come at once', async () => {
    const email = await at.anyone()
    const { factorId, secret } = await at.verified(await at.wire.signIn(email))
    const client = await at.wire.signIn(email)
    const challenges = await Promise.all(Array.from({ length: 12 }, () => at.challenge(client, factorId)))
    const code = at.wrong(secret)
    const answers = await Promise.all(
      challenges.map((challengeId) => outcome(client.auth.mfa.verify({ factorId, challengeId, code }))),
    )
    expect(answers.map((answer) => answer.slice(0, 3)).sort()).toEqual([
      ...Array(5).fill('422'),
      ...Array(7).fill('429'),
    ])
  })

  it('keeps its secret sealed in the database, for its own row alone', async () => {
    const victim = await at.verified(await at.wire.signIn(await at.anyone()))
    const { rows } = await at.wire.db.query<{ secret: string }>(
      'select secret from auth.mfa_factors where id = $1',
      [victim.factorId],
    )
    const sealed = rows[0]?.secret
    expect(sealed).toMatch(/^v1\./)
    expect(sealed).not.toContain(victim.secret)
    const thief = await at.wire.signIn(await at.anyone())
    const { factorId } = await at.enrol(thief)
    await at.wire.db.query('update auth.mfa_factors set secret = $2 where id = $1', [factorId, sealed])
    const code = at.shown(victim.secret)
    expect(await outcome(thief.auth.mfa.challengeAndVerify({ factorId, code }))).toMatch(
      /^422 mfa_verification_failed: This factor cannot be read/,
    )
    expect(JSON.stringify(at.wire.log.at(-1))).toContain('sealed with another key')
  })
})
