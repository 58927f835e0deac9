import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeEach, expect, it } from 'vitest'
import { describeFactors, outcome } from '../../testing/factors.js'
import { PASSWORD } from '../../testing/running-auth.js'

const MOST_LINES = 200

describeFactors('an account that does the same again and again', (at) => {
  beforeEach(() => at.wire.db.exec('delete from auth.attempts; delete from auth.audit_log_entries'))

  async function somebody() {
    const email = await at.anyone()
    const client = await at.wire.signIn(email)
    return { email, client, id: await at.userIdOf(client) }
  }
  /** As if it had done this so often today. */
  const wrote = (id: string, action: string, traits: Record<string, unknown> = {}) =>
    at.wire.db.query(
      'insert into auth.audit_log_entries (payload) select $1::jsonb from generate_series(1, $2::int)',
      [{ action, actor_id: id, traits }, MOST_LINES],
    )
  const lines = (id: string, action: string) =>
    at.count("auth.audit_log_entries where payload ->> 'actor_id' = $1 and payload ->> 'action' = $2", [
      id,
      action,
    ])
  const ask = (client: SupabaseClient) => at.ask(client, 'POST', '/recovery_codes')

  it('makes ten sets of recovery codes, and then one each six minutes', async () => {
    const { client, id } = await somebody()
    await at.verified(client)
    for (let n = 0; n < 10; n += 1) expect(await ask(client)).toMatchObject({ status: 200 })
    expect(await ask(client)).toMatchObject({ status: 429, body: { error_code: 'over_request_rate_limit' } })
    at.wire.clock.advance(6 * 60_000)
    expect(await ask(client)).toMatchObject({ status: 200 })
    expect(await ask(client)).toMatchObject({ status: 429 })
    expect(await lines(id, 'generate_recovery_codes')).toBe(11)
    expect(await at.count('auth.recovery_codes where user_id = $1', [id])).toBe(10)
  })

  it('is not kept from recovery codes by a clock that ran ahead', async () => {
    const { client } = await somebody()
    await at.verified(client)
    for (let n = 0; n < 10; n += 1) await ask(client)
    await at.wire.db.exec("update auth.attempts set updated_at = updated_at + interval '1 year'")
    expect(await ask(client)).toMatchObject({ status: 200 })
  })

  it('enrols thirty factors, and then one each minute', async () => {
    const { client } = await somebody()
    const again = async () => {
      const { factorId, secret } = await at.enrol(client)
      await outcome(client.auth.mfa.challengeAndVerify({ factorId, code: at.wrong(secret) }))
      await client.auth.mfa.unenroll({ factorId })
    }
    for (let n = 0; n < 30; n += 1) await again()
    const enrolled = () => outcome(client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' }))
    expect(await enrolled()).toMatch(/^429 over_request_rate_limit/)
    at.wire.clock.advance(60_000)
    expect(await enrolled()).toBe('ok')
    expect(await enrolled()).toMatch(/^422 mfa_factor_name_conflict/)
  })

  it('writes two hundred lines a day of new recovery codes', async () => {
    const { client, id } = await somebody()
    await at.verified(client)
    await wrote(id, 'generate_recovery_codes')
    expect(await ask(client)).toMatchObject({ status: 200 })
    expect(await lines(id, 'generate_recovery_codes')).toBe(MOST_LINES)
  })

  it('writes two hundred lines a day of refresh tokens that were used again', async () => {
    const { email, id } = await somebody()
    const revoke = async () => {
      const client = await at.wire.signIn(email)
      const { data } = await client.auth.getSession()
      const body = { refresh_token: data.session?.refresh_token }
      const refresh = () => at.wire.ask('POST', '/token?grant_type=refresh_token', { body })
      expect((await refresh()).status).toBe(200)
      at.wire.clock.advance(11_000)
      expect(await (await refresh()).json()).toMatchObject({ error_code: 'refresh_token_already_used' })
    }
    await revoke()
    expect(await lines(id, 'token_revoked')).toBe(1)
    await wrote(id, 'token_revoked')
    await revoke()
    expect(await lines(id, 'token_revoked')).toBe(MOST_LINES + 1)
  })

  it('writes two hundred lines a day of new passwords', async () => {
    const { client, id } = await somebody()
    await wrote(id, 'user_updated_password')
    expect(await outcome(client.auth.updateUser({ password: `${PASSWORD}!` }))).toBe('ok')
    expect(await lines(id, 'user_updated_password')).toBe(MOST_LINES)
  })

  it('writes two hundred lines a day of right codes, and as many of wrong ones', async () => {
    const { client, id } = await somebody()
    const { factorId, secret } = await at.enrol(client)
    const give = (code: string) => outcome(client.auth.mfa.challengeAndVerify({ factorId, code }))
    await wrote(id, 'verification_attempted', { verified: false })
    expect(await give(at.wrong(secret))).toMatch(/^422 mfa_verification_failed/)
    expect(await lines(id, 'verification_attempted')).toBe(MOST_LINES)
    // Wrong codes hide no right one.
    expect(await give(at.shown(secret))).toBe('ok')
    expect(await lines(id, 'verification_attempted')).toBe(MOST_LINES + 1)
    await wrote(id, 'verification_attempted', { verified: true })
    at.wire.clock.advance(30_000)
    expect(await give(at.shown(secret))).toBe('ok')
    expect(await lines(id, 'verification_attempted')).toBe(2 * MOST_LINES + 1)
  })

  it('writes two hundred lines a day of factors that are removed, and as many of those that were verified', async () => {
    const { client, id } = await somebody()
    await wrote(id, 'factor_unenrolled', { factor_status: 'unverified' })
    await client.auth.mfa.unenroll(await at.enrol(client))
    expect(await lines(id, 'factor_unenrolled')).toBe(MOST_LINES)
    await client.auth.mfa.unenroll(await at.verified(client))
    expect(await lines(id, 'factor_unenrolled')).toBe(MOST_LINES + 1)
    await wrote(id, 'factor_unenrolled', { factor_status: 'verified' })
    await client.auth.mfa.unenroll(await at.verified(client))
    expect(await lines(id, 'factor_unenrolled')).toBe(2 * MOST_LINES + 1)
  })
})
