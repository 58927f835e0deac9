import { DATABASES } from '@heyline/database/testing'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, it } from 'vitest'
import { describeFactors, outcome } from '../../testing/factors.js'
import { runAuth } from '../../testing/running-auth.js'

const INVALID = '422 mfa_verification_failed: Invalid MFA Phone code entered'

describeFactors('a phone', (at) => {
  let numbers = 100
  const aNumber = () => {
    numbers += 1
    return `+12025550${numbers}`
  }
  const enrol = (client: SupabaseClient, phone: string, friendlyName = phone) =>
    client.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName })
  const somebody = async (phone = aNumber()) => {
    const client = await at.wire.signIn(await at.anyone())
    const { data, error } = await enrol(client, phone)
    if (error) throw error
    return { client, factorId: data.id, phone }
  }
  const other = (code: string) => (code === '000000' ? '111111' : '000000')

  it('is texted six digits that take the session to aal2', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const { data } = await enrol(client, '+1 (202) 555-0100', 'Mine')
    expect(data).toEqual({
      id: expect.any(String),
      type: 'phone',
      friendly_name: 'Mine',
      phone: '+12025550100',
    })
    const factorId = String(data?.id)
    const challenged = await client.auth.mfa.challenge({ factorId, channel: 'sms' })
    expect(challenged.data).toMatchObject({ type: 'phone' })
    const text = at.wire.texts.at(-1)
    expect(text).toEqual({
      to: '+12025550100',
      body: expect.stringMatching(/^[0-9]{6} is your Heyline code\. It is good for 5 minutes\.$/),
    })
    const challengeId = String(challenged.data?.id)
    const code = at.texted()
    expect(await outcome(client.auth.mfa.verify({ factorId, challengeId, code }))).toBe('ok')
    expect(await at.levels(client)).toEqual(['aal2', 'aal2'])
    const { data: listed } = await client.auth.mfa.listFactors()
    expect(listed?.phone).toMatchObject([{ id: factorId, phone: '+12025550100', status: 'verified' }])
    const level = await client.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(level.data?.currentAuthenticationMethods?.[0]).toMatchObject({ method: 'mfa/phone' })
  })

  it('has its code stored as a hash under a key', async () => {
    const { client, factorId } = await somebody()
    await at.challenge(client, factorId)
    const { rows } = await at.wire.db.query<{ otp_hash: string }>(
      'select otp_hash from auth.mfa_challenges where factor_id = $1',
      [factorId],
    )
    expect(rows[0]?.otp_hash).toMatch(/^[0-9a-f]{64}$/)
    const stored = JSON.stringify((await at.wire.db.query('select * from auth.mfa_texts')).rows)
    for (const { to } of at.wire.texts) expect(stored).not.toContain(to.slice(1))
  })

  it('is given five tries for each text', async () => {
    const { client, factorId } = await somebody()
    const challengeId = await at.challenge(client, factorId)
    const code = at.texted()
    for (let n = 0; n < 5; n += 1)
      expect(await outcome(client.auth.mfa.verify({ factorId, challengeId, code: other(code) }))).toBe(
        INVALID,
      )
    at.wire.clock.advance(60_000)
    expect(await outcome(client.auth.mfa.verify({ factorId, challengeId, code }))).toMatch(
      /^422 mfa_challenge_expired/,
    )
  })

  it("takes another text's code for a wrong one, and each code once", async () => {
    const { client, factorId } = await somebody()
    const first = await at.challenge(client, factorId)
    const code = at.texted()
    at.wire.clock.advance(30_000)
    const second = await at.challenge(client, factorId)
    const verify = (challengeId: string) => outcome(client.auth.mfa.verify({ factorId, challengeId, code }))
    if (at.texted() !== code) expect(await verify(second)).toBe(INVALID)
    expect(await verify(first)).toBe('ok')
    expect(await verify(first)).toMatch(/^422 mfa_ip_address_mismatch/)
  })

  it('gets one text in 30 seconds, and five an hour, also when more are asked for at once', async () => {
    const { client, factorId, phone } = await somebody()
    const ask = () => outcome(client.auth.mfa.challenge({ factorId }))
    const answers = await Promise.all(Array.from({ length: 5 }, ask))
    const soon =
      '429 over_sms_send_rate_limit: For security purposes, you can only request this after 30 seconds.'
    expect(answers.sort()).toEqual([...Array(4).fill(soon), 'ok'])
    for (let n = 0; n < 4; n += 1) {
      at.wire.clock.advance(30_000)
      expect(await ask()).toBe('ok')
    }
    at.wire.clock.advance(30_000)
    expect(await ask()).toMatch(/^429 over_sms_send_rate_limit: .* after 3450 seconds\.$/)
    expect(at.wire.texts.filter(({ to }) => to === phone)).toHaveLength(5)
  })

  it('gets no more texts by other accounts, or by enrolling it again', async () => {
    const { client, factorId, phone } = await somebody()
    expect(await outcome(client.auth.mfa.challenge({ factorId }))).toBe('ok')
    await client.auth.mfa.unenroll({ factorId })
    const again = await enrol(client, phone)
    expect(await outcome(client.auth.mfa.challenge({ factorId: String(again.data?.id) }))).toMatch(/^429/)
    for (let n = 0; n < 4; n += 1) {
      const next = await somebody(phone)
      expect(await outcome(next.client.auth.mfa.challenge({ factorId: next.factorId }))).toBe('ok')
    }
    const sixth = await somebody(phone)
    expect(await outcome(sixth.client.auth.mfa.challenge({ factorId: sixth.factorId }))).toMatch(/^429/)
  })

  it('is texted at a known place, however many texts somebody asks for who has the password alone', async () => {
    const email = await at.anyone()
    const factorId = await at.verifiedPhone(await at.wire.signIn(email, '192.0.2.1'), '+12025550188')
    const challenge = async (address: string) => {
      const client = await at.wire.signIn(email, address)
      at.wire.clock.advance(31_000)
      return (await outcome(client.auth.mfa.challenge({ factorId }))).slice(0, 3)
    }
    const asked = []
    for (let n = 0; n < 4; n += 1) asked.push(await challenge(`10.11.${n}.1`))
    expect(asked).toEqual(['ok', 'ok', '429', '429'])
    // One was sent when it was enrolled.
    expect([
      await challenge('192.0.2.1'),
      await challenge('192.0.2.1'),
      await challenge('192.0.2.1'),
    ]).toEqual(['ok', 'ok', '429'])
    const later = []
    for (let hour = 0; hour < 4; hour += 1) {
      at.wire.clock.advance(3_600_000)
      later.push(await challenge('198.51.100.7'))
    }
    expect(later).toEqual(['ok', 'ok', '429', '429'])
    expect(await challenge('192.0.2.1')).toBe('ok')
  })

  it('is one of those that share a hundred texts a day', async () => {
    const { client, factorId } = await somebody()
    await at.wire.db.query(
      `insert into auth.mfa_texts (user_id, phone_hash, sent_at)
       select gen_random_uuid(), n::text, $1 from generate_series(1, 100) as n`,
      [new Date(at.wire.clock.now() - 3_600_000)],
    )
    expect(await outcome(client.auth.mfa.challenge({ factorId }))).toMatch(/^429 over_sms_send_rate_limit/)
    at.wire.clock.advance(23 * 3_600_000)
    await at.wire.db.query('update auth.mfa_texts set sent_at = $1 where phone_hash = $2', [
      new Date(at.wire.clock.now() - 25 * 3_600_000),
      '1',
    ])
    await at.wire.db.query("delete from auth.mfa_texts where length(phone_hash) < 4 and phone_hash <> '1'")
    const later = await somebody()
    expect(await outcome(later.client.auth.mfa.challenge({ factorId: later.factorId }))).toBe('ok')
    expect(await at.count('auth.mfa_texts where phone_hash = $1', ['1'])).toBe(0)
  })

  it('that could not be texted can be texted at once, and its number is in no log', async () => {
    const { client, factorId, phone } = await somebody()
    at.wire.carrier.send = async () => {
      throw new Error(`The 'To' number ${phone} is not reachable`)
    }
    expect(await outcome(client.auth.mfa.challenge({ factorId }))).toBe(
      '422 sms_send_failed: The text message could not be sent. Try again later, or use another second factor',
    )
    at.wire.carrier.send = async () => {}
    expect(JSON.stringify(at.wire.log)).toContain("The 'To' number +(number) is not reachable")
    expect(JSON.stringify(at.wire.log)).not.toContain(phone.slice(1))
    expect(await at.count('auth.mfa_challenges where factor_id = $1', [factorId])).toBe(0)
    expect(await outcome(client.auth.mfa.challenge({ factorId }))).toBe('ok')
  })

  it('holds nobody up while it is texted', async () => {
    const { client, factorId } = await somebody()
    let sent = () => {}
    at.wire.carrier.send = () =>
      new Promise<void>((resolve) => {
        sent = resolve
      })
    const challenged = outcome(client.auth.mfa.challenge({ factorId }))
    await expect.poll(() => at.count('auth.mfa_challenges where factor_id = $1', [factorId])).toBe(1)
    expect(await at.levels(await at.wire.signIn(await at.anyone()))).toEqual(['aal1', 'aal1'])
    sent()
    at.wire.carrier.send = async () => {}
    expect(await challenged).toBe('ok')
  })

  it('is texted by SMS alone', async () => {
    const { client, factorId } = await somebody()
    expect(await outcome(client.auth.mfa.challenge({ factorId, channel: 'whatsapp' }))).toBe(
      "400 validation_failed: Invalid channel, supported values are 'sms'.",
    )
  })

  it('that is verified is not enrolled again; one that is not takes its place', async () => {
    const client = await at.wire.signIn(await at.anyone())
    const phone = aNumber()
    await enrol(client, phone)
    await at.verifiedPhone(client, phone)
    expect(await outcome(enrol(client, phone, 'Again'))).toBe(
      '422 mfa_verified_factor_exists: A verified phone factor already exists, unenroll the existing factor to continue',
    )
    expect((await client.auth.mfa.listFactors()).data?.all).toHaveLength(1)
  })
})

it.each(DATABASES)('without text messages there are no phone factors, on $name', async ({ open }) => {
  const wire = await runAuth({ open })
  try {
    const { mfa } = (await wire.signedIn()).browser.auth
    expect(await outcome(mfa.enroll({ factorType: 'phone', phone: '+12025550100' }))).toBe(
      '422 mfa_phone_enroll_not_enabled: MFA enroll is disabled for Phone',
    )
  } finally {
    await wire.close()
  }
})
