import { systemClock } from '@heyline/kit/clock'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { OperatorAccess } from './access/operator-access.js'
import { ApiKeys } from './api-keys/api-keys.js'
import { readAudit } from './audit/audit.js'
import type { OperatorOffice } from './operators/operator-office.js'
import { createOperators, type Operators } from './operators/operators.js'
import { type AuthEnd, clientOf, confirmByApp } from './testing/auth-end.js'

const consoleUrl = 'http://localhost:3000/-/console/'
const PASSWORD = 'correct horse battery staple'
const code = (error: unknown) => Object(error).code

/** The operators on any end of the auth wire. */
export function describeOperators(name: string, open: () => Promise<AuthEnd>): void {
  describe(`operators, ${name}`, () => {
    let end: AuthEnd
    let operators: Operators
    let office: OperatorOffice
    let client: ReturnType<typeof clientOf>
    const access = (needsSecondFactor = false) => new OperatorAccess({ ...end, needsSecondFactor })
    const setupCode = async () => (await office.setup()).link.split('#setup=')[1] ?? ''
    const refusal = (asked: Promise<unknown>) => asked.then(() => 'taken', code)
    let number = 0
    /** An address that nobody had. */
    const someone = (who = 'ada') => `${who}${++number}@example.com`
    /** Somebody who has come in. */
    const joined = async (role: string, email = someone()) => {
      const token = await client.useLink((await office.invite({ email, role })).link, PASSWORD)
      if (!token) throw new Error('the link was refused')
      await access().enter(token)
      return { email, token }
    }

    beforeAll(async () => {
      end = await open()
      operators = createOperators({ ...end, consoleUrl })
      office = operators.as({ name: 'the test', address: '192.0.2.1' })
      client = clientOf(end)
    })
    afterAll(() => end.close())
    beforeEach(() =>
      end.db.exec('truncate back_office.operators, back_office.setup_codes, back_office.audit cascade'),
    )

    describe('the setup link', () => {
      it('makes the first owner, who signs in', async () => {
        const email = someone()
        expect(await operators.hasOwner()).toBe(false)
        const asked = { code: await setupCode(), email: ` ${email.toUpperCase()}`, password: PASSWORD }
        expect(await operators.setUp(asked, '192.0.2.7')).toEqual({ email, isNew: true })
        expect(await operators.hasOwner()).toBe(true)
        const token = await client.signIn(email, PASSWORD)
        expect(await access().enter(token ?? '')).toMatchObject({ email, role: 'owner', aal: 'aal1' })
        expect(await readAudit(end.db, 1)).toMatchObject([
          { actor: 'setup link', address: '192.0.2.7', action: 'owner_set_up', detail: { email } },
        ])
      })

      it('is good once, and none is good once there is an owner', async () => {
        const [first, second] = [await setupCode(), await setupCode()]
        const asked = (by: string) =>
          operators.setUp({ code: by, email: someone(), password: PASSWORD }, undefined)
        await asked(first)
        for (const by of [first, second]) expect(await refusal(asked(by))).toBe('setup_done')
        expect(await refusal(office.setup())).toBe('setup_done')
      })

      it.each([1, 2])('makes one owner where many ask at once, with %i codes', async (count) => {
        const codes = [await setupCode(), count === 2 ? await setupCode() : undefined]
        const asked = Array.from({ length: 6 }, (_, index) =>
          operators.setUp(
            { code: codes[index % count] ?? '', email: someone(), password: PASSWORD },
            undefined,
          ),
        )
        const done = await Promise.allSettled(asked)
        expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        const lost = done.flatMap((one) => (one.status === 'rejected' ? [code(one.reason)] : []))
        for (const why of lost) expect(['setup_done', 'setup_running']).toContain(why)
        expect(await office.list()).toMatchObject([{ role: 'owner', joinedAt: expect.any(String) }])
      })

      it('is good again where the password was refused', async () => {
        const by = await setupCode()
        const email = someone()
        expect(await refusal(operators.setUp({ code: by, email, password: 'abc' }, undefined))).toBe(
          'weak_password',
        )
        expect(await operators.setUp({ code: by, email, password: PASSWORD }, undefined)).toMatchObject({
          email,
        })
      })

      it('takes an account that is there as it is', async () => {
        const email = someone()
        await end.auth.createAccount(email, 'their own password')
        const asked = { code: await setupCode(), email, password: PASSWORD }
        expect(await operators.setUp(asked, undefined)).toEqual({ email, isNew: false })
        expect(await client.signIn(email, PASSWORD)).toBeUndefined()
        expect(await client.signIn(email, 'their own password')).toEqual(expect.any(String))
      })

      it.each(['', 'guess', 'x'.repeat(10_000)])('refuses a code that is none: %.10s', async (by) => {
        await setupCode()
        expect(
          await refusal(operators.setUp({ code: by, email: someone(), password: PASSWORD }, undefined)),
        ).toBe('invalid_code')
      })

      it('ends after a day', async () => {
        const by = await setupCode()
        await end.db.exec("update back_office.setup_codes set created_at = now() - interval '25 hours'")
        expect(
          await refusal(operators.setUp({ code: by, email: someone(), password: PASSWORD }, undefined)),
        ).toBe('invalid_code')
        await setupCode()
        expect((await end.db.query('select from back_office.setup_codes')).rowCount).toBe(1)
      })
    })

    describe('an invitation', () => {
      it('is a link by which somebody chooses a password and comes in', async () => {
        const email = someone()
        const invited = await office.invite({ email: email.toUpperCase(), role: 'editor' })
        expect(invited).toMatchObject({ email, role: 'editor', kind: 'invite', mail: 'off' })
        expect(invited.link).toMatch(/^http:\/\/localhost:3000\/-\/console\/#token_hash=[\w-]+&type=invite$/)
        expect(await office.list()).toMatchObject([{ email, joinedAt: null, invitedBy: 'the test' }])
        const token = (await client.useLink(invited.link, PASSWORD)) ?? ''
        expect(await access().enter(token)).toMatchObject({ email, role: 'editor' })
        expect(await office.list()).toMatchObject([
          { email, joinedAt: expect.any(String), lastSeenAt: expect.any(String) },
        ])
        expect(await client.useLink(invited.link, 'another password')).toBeUndefined()
      })

      it('that is sent twice ends the one before, and may give another role', async () => {
        const email = someone()
        const first = await office.invite({ email, role: 'viewer' })
        const second = await office.invite({ email: email.toUpperCase(), role: 'editor' })
        expect(await client.useLink(first.link, PASSWORD)).toBeUndefined()
        expect(await client.useLink(second.link, PASSWORD)).toEqual(expect.any(String))
        expect(await office.list()).toMatchObject([{ email, role: 'editor' }])
      })

      it('of somebody who has an account keeps it, and offers a new password', async () => {
        const email = someone()
        await end.auth.createAccount(email, 'their own password')
        const invited = await office.invite({ email, role: 'viewer' })
        expect(invited).toMatchObject({ kind: 'recovery', link: expect.stringMatching(/&type=recovery$/) })
        const token = await client.signIn(email, 'their own password')
        expect(await access().enter(token ?? '')).toMatchObject({ email, role: 'viewer' })
      })

      it('of somebody who has come in is refused', async () => {
        const { email } = await joined('viewer')
        expect(await refusal(office.invite({ email: email.toUpperCase(), role: 'owner' }))).toBe(
          'already_operator',
        )
        expect(await office.list()).toMatchObject([{ email, role: 'viewer' }])
      })

      it.each([
        '',
        'ada',
        'ada@',
        'ada@example.com\r\nBcc: eve@example.com',
        `${'a'.repeat(320)}@example.com`,
      ])('is not made for an address that is none: %.20s', async (email) =>
        expect(await refusal(office.invite({ email, role: 'viewer' }))).toBe('invalid_email'),
      )

      it('is not made for a role that is none', async () =>
        expect(await refusal(office.invite({ email: someone(), role: 'admin' }))).toBe('invalid_role'))
    })

    describe('a role', () => {
      it('is changed, and holds from the next request on', async () => {
        const { email, token } = await joined('viewer')
        const entered = access()
        expect((await entered.enter(token)).role).toBe('viewer')
        expect(await office.setRole({ email: email.toUpperCase(), role: 'editor' })).toEqual({
          email,
          role: 'editor',
        })
        expect((await entered.enter(token)).role).toBe('editor')
      })

      it('never comes from what an account says of itself', async () => {
        const { token } = await joined('viewer')
        const data = { role: 'owner', operator_role: 'owner', app_metadata: { role: 'owner' } }
        await client.ask('PUT', '/user', { data }, token)
        expect((await access().enter(token)).role).toBe('viewer')
        const stranger = someone()
        await end.auth.createAccount(stranger, PASSWORD)
        const theirs = (await client.signIn(stranger, PASSWORD)) ?? ''
        await client.ask('PUT', '/user', { data }, theirs)
        expect(await refusal(access().enter(theirs))).toBe('not_an_operator')
      })

      it('of the last owner stays, and the last owner too', async () => {
        const owner = await joined('owner')
        await joined('editor')
        // Somebody who has not come in could not help.
        await office.invite({ email: someone(), role: 'owner' })
        expect(await refusal(office.setRole({ email: owner.email, role: 'editor' }))).toBe('last_owner')
        expect(await refusal(office.remove(owner.email))).toBe('last_owner')
        await joined('owner')
        expect(await refusal(office.remove(owner.email))).toBe('taken')
      })

      it.each(['remove', 'demote'] as const)(
        'of two owners is left to one where both %s each other at once',
        async (what) => {
          const owners = [await joined('owner'), await joined('owner')]
          const done = await Promise.all(
            owners.map(({ email }) =>
              refusal(what === 'remove' ? office.remove(email) : office.setRole({ email, role: 'viewer' })),
            ),
          )
          expect(done.toSorted()).toEqual(['last_owner', 'taken'])
          expect((await office.list()).filter(({ role }) => role === 'owner')).toHaveLength(1)
        },
      )

      it('is given by any address that an account may have', async () => {
        const { email, token } = await joined('editor')
        const local = `ada.o'hara+${email.split('@')[0]}@localhost`
        await end.db.query('update back_office.operators set email = $1', [local])
        expect(await office.setRole({ email: ` ${local.toUpperCase()} `, role: 'viewer' })).toEqual({
          email: local,
          role: 'viewer',
        })
        expect(await office.remove(local)).toEqual({ email: local })
        expect(await refusal(access().enter(token))).not.toBe('taken')
      })

      it('of nobody is not found', async () => {
        for (const none of ['', 'ada', 'a\0b@example.com', 'x'.repeat(10_000)])
          expect(await refusal(office.remove(none))).toBe('operator_not_found')
        expect(await refusal(office.setRole({ email: someone(), role: 'editor' }))).toBe('operator_not_found')
        expect(await refusal(office.remove(someone()))).toBe('operator_not_found')
        expect(await refusal(office.reset(someone()))).toBe('operator_not_found')
      })
    })

    describe('somebody who is removed', () => {
      it('is out at once', async () => {
        const { email, token } = await joined('editor')
        const entered = access()
        await entered.enter(token)
        expect(await office.remove(email.toUpperCase())).toEqual({ email })
        expect(await refusal(entered.enter(token))).toBe('not_an_operator')
        expect(await office.list()).toEqual([])
      })

      it('keeps an account that is not ours, and can be invited again', async () => {
        const { email } = await joined('editor')
        await office.remove(email)
        const signedIn = await client.signIn(email, PASSWORD)
        expect(signedIn !== undefined).toBe(!end.ownsAccounts)
        await office.invite({ email, role: 'viewer' })
        expect(await office.list()).toMatchObject([{ email, role: 'viewer', joinedAt: null }])
      })
    })

    describe('a reset', () => {
      it('ends password, sessions and second factors, and makes a link', async () => {
        const { email, token } = await joined('editor')
        const confirmed = await confirmByApp(end, token)
        const reset = await office.reset(email.toUpperCase())
        expect(reset).toMatchObject({ email, role: 'editor', kind: 'recovery', factors: 1 })
        expect(await client.signIn(email, PASSWORD)).toBeUndefined()
        for (const old of [token, confirmed]) expect(await refusal(access().enter(old))).toBe('unauthorized')
        const again = await client.useLink(reset.link, 'a whole new password')
        expect(await access().enter(again ?? '')).toMatchObject({ email, role: 'editor' })
        const by = { actor: 'the test', address: '192.0.2.1' }
        expect(await readAudit(end.db, 2)).toMatchObject([
          { ...by, action: 'operator_factors_removed', detail: { email, factors: 1 } },
          { ...by, action: 'operator_reset', detail: { email } },
        ])
      })

      it('ends a session at once for what matters, and the keys that were made while it ran', async () => {
        const { email, token } = await joined('owner')
        const entered = access()
        const { userId, role } = await entered.enter(token)
        const keys = new ApiKeys({ db: end.db, clock: systemClock })
        const { setPassword } = end.auth
        let key = ''
        const late = vi.spyOn(end.auth, 'setPassword').mockImplementationOnce(async (...given) => {
          key = (await keys.add({ userId, role }, { name: 'late', role, days: 365 })).key
          await setPassword.apply(end.auth, given)
        })
        await office.reset(email)
        late.mockRestore()
        expect(await refusal(keys.enter(key))).toBe('unauthorized')
        expect(await refusal(entered.enter(token, { isFresh: true }))).toBe('unauthorized')
      })

      it('that breaks off once the password has ended is in the audit', async () => {
        const { email } = await joined('editor')
        const broken = vi.spyOn(end.auth, 'deleteFactors').mockRejectedValueOnce(new Error('gone'))
        await expect(office.reset(email)).rejects.toThrow('gone')
        broken.mockRestore()
        expect(await client.signIn(email, PASSWORD)).toBeUndefined()
        expect(await readAudit(end.db, 1)).toMatchObject([{ action: 'operator_reset', detail: { email } }])
      })

      it('of somebody who never came in ends the invitation', async () => {
        const email = someone()
        const invited = await office.invite({ email, role: 'editor' })
        const reset = await office.reset(email)
        expect(await client.useLink(invited.link, PASSWORD)).toBeUndefined()
        expect(await client.useLink(reset.link, PASSWORD)).toEqual(expect.any(String))
      })

      it('says that an account is gone', async () => {
        const { email, token } = await joined('editor')
        await end.auth.deleteAccount((await access().enter(token)).userId)
        expect(await refusal(office.reset(email))).toBe('account_gone')
      })
    })

    describe('a second factor', () => {
      it('is needed where it is asked for', async () => {
        const { token } = await joined('editor')
        expect(await refusal(access(true).enter(token))).toBe('second_factor_needed')
        expect(await access(true).enter(await confirmByApp(end, token))).toMatchObject({ aal: 'aal2' })
      })

      it('is needed from whoever has one, wherever it is asked for', async () => {
        const { email, token } = await joined('owner')
        const confirmed = await confirmByApp(end, token)
        const byPassword = await client.signIn(email, PASSWORD)
        expect(await refusal(access().enter(byPassword ?? ''))).toBe('second_factor_needed')
        expect(await access().enter(confirmed)).toMatchObject({ email, aal: 'aal2' })
      })
    })

    it('lets nobody in whose session has ended', async () => {
      const { token } = await joined('owner')
      await client.ask('POST', '/logout?scope=global', {}, token)
      expect(await refusal(access().enter(token))).toBe('unauthorized')
    })

    it('knows an operator whose address has changed by the account', async () => {
      const { token } = await joined('editor')
      const other = someone('grace')
      const [{ userId } = { userId: '' }] = await office.list()
      await client.ask('PUT', `/admin/users/${userId}`, { email: other }, end.secretKey)
      await end.db.exec("update back_office.operators set last_seen_at = now() - interval '1 hour'")
      await access().enter(token)
      expect(await office.list()).toMatchObject([{ email: other, role: 'editor' }])
    })

    it.each(['', 'x', 'a.b.c', 'x'.repeat(20_000)])('lets in no token that is none: %.10s', async (token) =>
      expect(await refusal(access().enter(token))).toBe('unauthorized'),
    )

    it('lets in no token that was made with the public key, by another key or by nobody', async () => {
      const { token } = await joined('owner')
      const [header = {}, claims = {}] = token.split('.').map((part) => {
        try {
          return JSON.parse(Buffer.from(part, 'base64url').toString())
        } catch {
          return undefined
        }
      })
      const { privateKey } = await generateKeyPair('ES256')
      const { body } = await client.ask('GET', '/.well-known/jwks.json')
      const kid = header.kid ?? 'project-key'
      const secrets = [JSON.stringify(body.keys[0] ?? {}), body.keys[0]?.x ?? 'x', end.secretKey]
      const forged = [
        new UnsecuredJWT(claims).encode(),
        await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey),
        ...(await Promise.all(
          secrets.map((secret) =>
            new SignJWT(claims)
              .setProtectedHeader({ alg: 'HS256', kid })
              .sign(new TextEncoder().encode(secret)),
          ),
        )),
      ]
      for (const forgery of forged) expect(await refusal(access().enter(forgery))).toBe('unauthorized')
    })

    it('keeps no code and no password', async () => {
      const by = await setupCode()
      await operators.setUp({ code: by, email: someone(), password: PASSWORD }, undefined)
      await setupCode().catch(() => {})
      await joined('viewer')
      const { rows } = await end.db.query<{ text: string }>(
        `select (select jsonb_agg(to_jsonb(a)) from back_office.audit a)::text
           || coalesce((select jsonb_agg(to_jsonb(s)) from back_office.setup_codes s)::text, '') as text`,
      )
      expect(rows[0]?.text).toContain('owner_set_up')
      for (const secret of [by, PASSWORD]) expect(rows[0]?.text).not.toContain(secret)
    })
  })
}
