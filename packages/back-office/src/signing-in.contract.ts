import { AuthClient } from '@supabase/auth-js'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperators } from './operators/operators.js'
import type { AuthEnd } from './testing/auth-end.js'

type Browser = InstanceType<typeof AuthClient>

const PASSWORD = 'correct horse battery staple'

/** What an operator's browser asks of the auth wire, with Supabase's own client, on any end. */
export function describeSigningIn(name: string, open: () => Promise<AuthEnd>): void {
  describe(`an operator's browser, ${name}`, () => {
    let end: AuthEnd
    let number = 0
    beforeAll(async () => {
      end = await open()
    })
    afterAll(() => end.close())

    /** A browser of its own, as the console opens one: nothing of it outlives the page. */
    const browser = () =>
      new AuthClient({
        url: end.url,
        headers: { apikey: end.apiKey },
        fetch: end.fetch,
        persistSession: false,
        autoRefreshToken: false,
        detectSessionInUrl: false,
      })

    /** Somebody who has opened an invitation, and chosen a password. */
    async function joined() {
      const operators = createOperators({ ...end, consoleUrl: 'http://localhost:3000/-/console/' })
      const office = operators.as({ name: 'the test', address: '192.0.2.1' })
      const email = `op${++number}@example.com`
      const { link } = await office.invite({ email, role: 'editor' })
      const code = new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? ''
      const auth = browser()
      const { error } = await auth.verifyOtp({ token_hash: code, type: 'invite' })
      expect(error).toBeNull()
      expect((await auth.updateUser({ password: PASSWORD })).error).toBeNull()
      return { email, auth, office, code }
    }

    /** The code of this app, in the next step if `later`: each step is taken once. */
    const codeOf = (secret: string, later = false) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + (later ? 30_000 : 0) })

    async function enrolled(auth: Browser) {
      const { data, error } = await auth.mfa.enroll({
        factorType: 'totp',
        friendlyName: 'app',
        issuer: 'Heyline',
      })
      if (error) throw error
      const { id: factorId, totp } = data
      expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/)
      const verified = await auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) })
      expect(verified.error).toBeNull()
      return { factorId, secret: totp.secret }
    }
    const levels = async (auth: Browser) => {
      const { data } = await auth.mfa.getAuthenticatorAssuranceLevel()
      return [data?.currentLevel, data?.nextLevel]
    }

    it('opens an invitation once, and signs in with the password that it chose', async () => {
      const { email, code } = await joined()
      const again = await browser().verifyOtp({ token_hash: code, type: 'invite' })
      expect(again.error).toMatchObject({ code: 'otp_expired' })
      const auth = browser()
      const wrong = await auth.signInWithPassword({ email, password: 'something else' })
      expect(wrong.error).toMatchObject({ code: 'invalid_credentials', status: 400 })
      expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
      expect((await auth.getUser()).data.user).toMatchObject({ email })
    })

    it('gives a second factor, and is asked for it from then on', async () => {
      const { email, auth } = await joined()
      expect(await levels(auth)).toEqual(['aal1', 'aal1'])
      const { factorId, secret } = await enrolled(auth)
      expect(await levels(auth)).toEqual(['aal2', 'aal2'])

      const other = browser()
      await other.signInWithPassword({ email, password: PASSWORD })
      expect(await levels(other)).toEqual(['aal1', 'aal2'])
      expect((await other.mfa.unenroll({ factorId })).error).toMatchObject({ code: 'insufficient_aal' })
      const wrong = await other.mfa.challengeAndVerify({ factorId, code: '000000' })
      expect(wrong.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 })
      expect((await other.mfa.challengeAndVerify({ factorId, code: codeOf(secret, true) })).error).toBeNull()
      expect(await levels(other)).toEqual(['aal2', 'aal2'])
      expect((await other.mfa.listFactors()).data?.totp).toMatchObject([
        { id: factorId, friendly_name: 'app' },
      ])
      expect((await other.mfa.unenroll({ factorId })).error).toBeNull()
      await other.refreshSession()
      expect(await levels(other)).toEqual(['aal1', 'aal1'])
    })

    it('reads who it is from the token, and keeps the session', async () => {
      const { auth } = await joined()
      const claims = (await auth.getClaims()).data?.claims
      expect(claims).toMatchObject({ iss: end.issuers[0], role: 'authenticated', aal: 'aal1' })
      const before = (await auth.getSession()).data.session
      const { data, error } = await auth.refreshSession()
      expect(error).toBeNull()
      expect(data.session?.refresh_token).not.toBe(before?.refresh_token)
      expect((await auth.getUser()).data.user?.id).toBe(claims?.sub)
    })

    it('signs out', async () => {
      const { auth } = await joined()
      const token = (await auth.getSession()).data.session?.access_token
      expect((await auth.signOut()).error).toBeNull()
      expect((await browser().getUser(token)).error).toMatchObject({ status: expect.any(Number) })
    })

    it('is out after a reset, and comes back by its link', async () => {
      const { email, auth, office } = await joined()
      const { link, kind } = await office.reset(email)
      expect((await auth.refreshSession()).error).not.toBeNull()
      const code = new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? ''
      const back = browser()
      expect((await back.verifyOtp({ token_hash: code, type: kind })).error).toBeNull()
      expect((await back.updateUser({ password: 'a whole new password' })).error).toBeNull()
      const old = await browser().signInWithPassword({ email, password: PASSWORD })
      expect(old.error).toMatchObject({ code: 'invalid_credentials' })
    })
  })
}
