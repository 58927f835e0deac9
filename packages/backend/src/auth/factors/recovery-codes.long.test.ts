import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, it } from 'vitest'
import { describeFactors, outcome } from '../../testing/factors.js'

const INVALID = '422 mfa_verification_failed: Invalid TOTP code entered'
const UNKNOWN = '0000-0000-0000-0000'

describeFactors('recovery codes', (at) => {
  /** Somebody with an app and recovery codes. */
  async function somebody() {
    const email = await at.anyone()
    const client = await at.wire.signIn(email)
    const { factorId } = await at.verified(client)
    return { email, client, factorId, codes: await at.recoveryCodes(client) }
  }
  const verify = (client: SupabaseClient, factorId: string, code = '') =>
    outcome(client.auth.mfa.verify({ factorId, challengeId: factorId, code }))

  it('stand in for a factor, once each', async () => {
    const { email, factorId, codes } = await somebody()
    expect(codes).toHaveLength(10)
    const [code = '', next] = codes
    const typed = code.toUpperCase().replaceAll('-', ' ')
    const client = await at.wire.signIn(email)
    expect(await outcome(client.auth.mfa.challengeAndVerify({ factorId, code: typed }))).toBe('ok')
    expect(await at.levels(client)).toEqual(['aal2', 'aal2'])
    const again = await at.wire.signIn(email)
    expect(await verify(again, factorId, code)).toBe(INVALID)
    expect(await verify(again, factorId, UNKNOWN)).toBe(INVALID)
    expect(await verify(again, factorId, next)).toBe('ok')
    const { data } = await again.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(data?.currentAuthenticationMethods?.[0]).toMatchObject({ method: 'mfa/recovery_code' })
  })

  it('need no challenge, so that no text has to go to a phone that is lost', async () => {
    const email = await at.anyone()
    const owner = await at.wire.signIn(email)
    const factorId = await at.verifiedPhone(owner, '+12025550111')
    const [code] = await at.recoveryCodes(owner)
    const sent = at.wire.texts.length
    expect(await verify(await at.wire.signIn(email), factorId, code)).toBe('ok')
    expect(at.wire.texts).toHaveLength(sent)
  })

  it('let one of ten sessions in that are given one at once', async () => {
    const { email, factorId, codes } = await somebody()
    const clients = await at.tabs(email, 10)
    const answers = await Promise.all(clients.map((client) => verify(client, factorId, codes[0])))
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1)
  })

  it('are good for their own account alone', async () => {
    const [one, other] = [await somebody(), await somebody()]
    expect(await verify(one.client, one.factorId, other.codes[0])).toBe(INVALID)
    expect(await verify(other.client, other.factorId, other.codes[0])).toBe('ok')
  })

  it('are counted when they are wrong', async () => {
    const { client, factorId } = await somebody()
    for (let n = 0; n < 5; n += 1) expect(await verify(client, factorId, UNKNOWN)).toBe(INVALID)
    expect(await verify(client, factorId, UNKNOWN)).toMatch(/^429 over_request_rate_limit/)
  })

  it('end with new ones, and with the last factor', async () => {
    const { client, factorId, codes } = await somebody()
    await at.recoveryCodes(client)
    expect(await verify(client, factorId, codes[0])).toBe(INVALID)
    const userId = await at.userIdOf(client)
    const kept = () => at.count('auth.recovery_codes where user_id = $1', [userId])
    expect(await kept()).toBe(10)
    await client.auth.mfa.unenroll({ factorId })
    expect(await kept()).toBe(0)
  })

  it('are stored as hashes', async () => {
    const { codes } = await somebody()
    const stored = JSON.stringify((await at.wire.db.query('select * from auth.recovery_codes')).rows)
    for (const code of codes) {
      expect(stored).not.toContain(code)
      expect(stored).not.toContain(code.replaceAll('-', ''))
    }
  })

  it('are made at aal2, for somebody who has a factor', async () => {
    const email = await at.anyone()
    const client = await at.wire.signIn(email)
    const ask = async (asking: SupabaseClient) => at.ask(asking, 'POST', '/recovery_codes')
    expect(await ask(client)).toMatchObject({ status: 422, body: { error_code: 'mfa_factor_not_found' } })
    await at.verified(client)
    const refused = { status: 403, body: { error_code: 'insufficient_aal' } }
    expect(await ask(await at.wire.signIn(email))).toMatchObject(refused)
  })

  it('verify no new factor', async () => {
    const { client, codes } = await somebody()
    const { factorId } = await at.enrol(client, 'Fresh')
    const [code = ''] = codes
    expect(await outcome(client.auth.mfa.challengeAndVerify({ factorId, code }))).toBe(INVALID)
  })
})
