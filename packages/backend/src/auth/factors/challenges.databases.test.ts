import { expect, it } from 'vitest'
import { describeFactors, outcome } from '../../testing/factors.js'

describeFactors('a challenge', (at) => {
  it('holds for 300 seconds', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { factorId, secret } = await at.enrol(client)
    const challengeId = await at.challenge(client, factorId)
    at.wire.clock.advance(300_001)
    const code = at.shown(secret)
    expect(await outcome(client.auth.mfa.verify({ factorId, challengeId, code }))).toBe(
      `422 mfa_challenge_expired: MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
    )
  })

  it('is answered from the address that asked for it', async () => {
    const email = await at.anyone()
    const { factorId, secret } = await at.verified(await at.wire.signIn(email))
    const challengeId = await at.challenge(await at.wire.signIn(email, '192.0.2.7'), factorId)
    const elsewhere = await at.wire.signIn(email, '198.51.100.7')
    const code = at.shown(secret)
    expect(await outcome(elsewhere.auth.mfa.verify({ factorId, challengeId, code }))).toBe(
      '422 mfa_ip_address_mismatch: Challenge and verify IP addresses mismatch.',
    )
  })

  it('is good for its factor alone', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const [{ factorId, secret }, other] = [await at.enrol(client, 'One'), await at.enrol(client, 'Other')]
    const ofOther = await at.challenge(client, other.factorId)
    const code = at.shown(secret)
    for (const challengeId of [ofOther, '', 'no-uuid', "' or 1=1 --", crypto.randomUUID()])
      expect(await outcome(client.auth.mfa.verify({ factorId, challengeId, code }))).toBe(
        '422 mfa_factor_not_found: MFA factor with the provided challenge ID not found',
      )
  })

  it('is one of 20 that are kept', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { factorId } = await at.enrol(client)
    for (let n = 0; n < 23; n += 1) await at.challenge(client, factorId)
    expect(await at.count('auth.mfa_challenges where factor_id = $1', [factorId])).toBe(20)
  })
})
