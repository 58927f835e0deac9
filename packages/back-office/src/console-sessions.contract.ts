import type { Clock } from '@heyline/kit/clock'
import { ManualClock } from '@heyline/kit/manual-clock'
import { hashOf } from '@heyline/kit/secret'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionState } from './sessions/session-state.js'
import type { AuthEnd } from './testing/auth-end.js'
import { ConsoleBrowser, sessionsOf } from './testing/console-browser.js'

const PASSWORD = 'correct horse battery staple'
const HOUR = 3_600_000
const MINUTE = 60_000
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    (error) => Object(error).code,
  )

/** The console's sessions on any end of the auth wire. */
export function describeConsoleSessions(name: string, open: (clock: Clock) => Promise<AuthEnd>): void {
  describe(`the console's sessions, ${name}`, () => {
    const clock = new ManualClock(Date.now())
    let end: AuthEnd
    let number = 0
    beforeAll(async () => {
      end = await open(clock)
    })
    afterAll(() => end.close())
    beforeEach(() =>
      end.db.exec('truncate back_office.operators, back_office.console_sessions, back_office.audit cascade'),
    )

    const parts = (needsSecondFactor = false) => sessionsOf(end, { clock, needsSecondFactor })
    /** The code of this app, each in a step of its own. */
    const codeOf = (secret: string) => {
      clock.advance(30_000)
      return new TOTP({ secret }).generate({ timestamp: clock.now() })
    }
    const rows = async () =>
      (await end.db.query<{ id: string }>('select * from back_office.console_sessions')).rows

    /** An operator who came by an invitation, and is signed in. */
    async function joined(role = 'owner') {
      const { operators, signingIn, account } = parts()
      const email = `op${++number}@example.com`
      const { link } = await operators.as({ name: 'the test' }).invite({ email, role })
      const tokenHash = new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? ''
      const browser = new ConsoleBrowser()
      const state = await signingIn.spendLink(browser.visit, { type: 'invite', tokenHash })
      expect(state).toMatchObject({ signedIn: true, email, next: { step: 'new-password', link: 'invite' } })
      await account.changePassword(browser.visit, { password: PASSWORD })
      return { email, browser, tokenHash }
    }

    async function signedIn(email: string, password = PASSWORD): Promise<[ConsoleBrowser, SessionState]> {
      const browser = new ConsoleBrowser()
      return [browser, await parts().signingIn.signIn(browser.visit, { email, password })]
    }

    /** Gives whoever is signed in an authenticator app. */
    async function withApp(browser: ConsoleBrowser, email: string) {
      const { account } = parts()
      await account.stepUp(browser.visit, { password: PASSWORD })
      const { id: factorId, totp } = await account.addFactor(browser.visit, { type: 'totp', name: 'app' })
      const secret = totp?.secret ?? ''
      const { recoveryCodes } = await account.finishFactor(browser.visit, { factorId, code: codeOf(secret) })
      return { email, browser, factorId, secret, recoveryCodes: recoveryCodes ?? [] }
    }

    it('begin by a password: the cookie holds a secret, and no table holds that or a token', async () => {
      const { email } = await joined()
      const [browser, state] = await signedIn(email)
      expect(state).toMatchObject({ signedIn: true, email, factors: [], operator: { email, role: 'owner' } })
      expect(state).not.toHaveProperty('next')
      expect(browser.secret).toMatch(/^[\w-]{43}$/)
      const text = JSON.stringify(await rows())
      expect(text).toContain(hashOf(browser.secret ?? ''))
      expect(text).not.toContain(browser.secret)
      expect(text).not.toMatch(/eyJ[\w-]+\.eyJ/)
      expect((await parts().sessions.enter(browser.visit)).operator).toMatchObject({ email, role: 'owner' })
    })

    it('begin by no wrong password', async () => {
      const { email } = await joined()
      const browser = new ConsoleBrowser()
      const asked = parts().signingIn.signIn(browser.visit, { email, password: 'something else' })
      expect(await refusal(asked)).toBe('invalid_credentials')
      expect(browser.given).toEqual([])
      expect(await parts().sessions.show(browser.visit)).toEqual({ signedIn: false, setupNeeded: false })
    })

    it('ask the database once a second whether there is an owner, however many ask', async () => {
      const { sessions, operators } = parts()
      const asked = vi.spyOn(operators, 'hasOwner')
      const shown = () => sessions.show(new ConsoleBrowser().visit)
      const setUp = { signedIn: false, setupNeeded: true }
      expect(await Promise.all([shown(), shown(), shown()])).toEqual([setUp, setUp, setUp])
      expect(asked).toHaveBeenCalledTimes(1)
      await joined()
      clock.advance(1_000)
      expect(await shown()).toEqual({ signedIn: false, setupNeeded: false })
      expect(asked).toHaveBeenCalledTimes(2)
    })

    it('open nothing before the password that a link asks for is chosen', async () => {
      const { email } = await joined()
      const { operators, signingIn, sessions, account } = parts()
      const { link } = await operators.as({ name: 'the test' }).reset(email)
      const tokenHash = new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? ''
      const browser = new ConsoleBrowser()
      await signingIn.spendLink(browser.visit, { type: 'recovery', tokenHash })
      expect(await refusal(sessions.enter(browser.visit))).toBe('password_needed')
      expect(await account.changePassword(browser.visit, { password: 'a whole new one' })).toMatchObject({
        operator: { email },
      })
      expect(await refusal(sessions.enter(browser.visit))).toBe('taken')
      expect(await refusal(signingIn.spendLink(browser.visit, { type: 'recovery', tokenHash }))).toBe(
        'otp_expired',
      )
    })

    it('have a new cookie after each sign-in, and never one that somebody planted', async () => {
      const { email, browser: planted } = await joined()
      const before = planted.secret
      await parts().signingIn.signIn(planted.visit, { email, password: PASSWORD })
      expect(planted.secret).not.toBe(before)
      const thief = new ConsoleBrowser()
      for (const secret of [before, 'x'.repeat(43), '', 'no secret']) {
        thief.secret = secret
        expect(await refusal(parts().sessions.enter(thief.visit))).toBe('unauthorized')
      }
      const invented = new ConsoleBrowser()
      invented.secret = 'x'.repeat(43)
      await parts().signingIn.signIn(invented.visit, { email, password: PASSWORD })
      expect(invented.secret).not.toBe('x'.repeat(43))
    })

    it('ask for a second factor first, and have a new cookie then', async () => {
      const { email, browser } = await joined()
      const { factorId, secret, recoveryCodes } = await withApp(browser, email)
      expect(recoveryCodes).toHaveLength(end.ownsAccounts ? 10 : 0)
      const [other, state] = await signedIn(email)
      expect(state).toMatchObject({
        next: { step: 'second-factor' },
        factors: [{ id: factorId, name: 'app' }],
      })
      expect(await refusal(parts().sessions.enter(other.visit))).toBe('second_factor_needed')
      const { account } = parts()
      // The password alone ends nobody else's session.
      expect(await refusal(account.endOthers(other.visit))).toBe('second_factor_needed')
      expect(await refusal(parts().sessions.enter(browser.visit))).toBe('taken')
      const wrong = account.confirm(other.visit, { factorId, code: '000000' })
      expect(await refusal(wrong)).toBe('mfa_verification_failed')
      const stolen = new ConsoleBrowser()
      stolen.secret = other.secret
      expect(await account.confirm(other.visit, { factorId, code: codeOf(secret) })).toMatchObject({
        operator: { email },
        freshUntil: expect.any(String),
      })
      // What aal1 was given does not become aal2.
      expect(await refusal(parts().sessions.enter(stolen.visit))).toBe('unauthorized')
    })

    it('take a recovery code in place of a factor, once', async () => {
      if (!end.ownsAccounts) return
      const { email, browser } = await joined()
      const { factorId, recoveryCodes } = await withApp(browser, email)
      const code = recoveryCodes[0] ?? ''
      const { account } = parts()
      for (const outcome of ['taken', 'mfa_verification_failed']) {
        const [other] = await signedIn(email)
        expect(await refusal(account.spendRecoveryCode(other.visit, { factorId, code }))).toBe(outcome)
      }
    })

    it('say that a second factor is to be added where all need one, and that an account is no operator', async () => {
      const { email } = await joined()
      const [browser] = await signedIn(email)
      expect(await parts(true).sessions.show(browser.visit)).toMatchObject({ next: { step: 'add-factor' } })
      const stranger = `stranger${++number}@example.com`
      await end.auth.createAccount(stranger, PASSWORD)
      const [, state] = await signedIn(stranger)
      expect(state).toMatchObject({ email: stranger, next: { step: 'not-an-operator' } })
    })

    it('end by signing out, here and at the auth wire, and are no use to a thief then', async () => {
      const { email } = await joined()
      const [browser] = await signedIn(email)
      const thief = new ConsoleBrowser()
      thief.secret = browser.secret
      const before = await rows()
      expect(await parts().sessions.signOut(browser.visit)).toEqual({ signedIn: false, setupNeeded: false })
      expect(browser.given.at(-1)).toBeUndefined()
      expect(await refusal(parts().sessions.enter(thief.visit))).toBe('unauthorized')
      expect(await rows()).toHaveLength(before.length - 1)
    })

    it('end when they are not used for twelve hours, and after thirty days', async () => {
      const { email } = await joined()
      const [browser] = await signedIn(email)
      clock.advance(12 * HOUR - MINUTE)
      expect(await parts().sessions.show(browser.visit)).toMatchObject({ signedIn: true })
      clock.advance(12 * HOUR + MINUTE)
      expect(await parts().sessions.show(browser.visit)).toMatchObject({ signedIn: false })
      const [busy] = await signedIn(email)
      for (let hours = 0; hours < 30 * 24; hours += 8) {
        await end.db.query('update back_office.console_sessions set used_at = $1', [new Date(clock.now())])
        clock.advance(8 * HOUR)
      }
      expect(await parts().sessions.show(busy.visit)).toMatchObject({ signedIn: false })
      await signedIn(email)
      expect(await rows()).toHaveLength(1)
    })

    it('are fifty at most for an operator', async () => {
      const { email } = await joined()
      const [first] = await signedIn(email)
      clock.advance(1)
      await end.db.exec(
        `insert into back_office.console_sessions (id, secret_hash, user_id, tokens, created_at, used_at)
         select gen_random_uuid(), 'made ' || n, user_id, tokens, created_at, used_at + interval '1 ms'
         from back_office.console_sessions, generate_series(1, 60) n where secret_hash = '${hashOf(first.secret ?? '')}'`,
      )
      const [last] = await signedIn(email)
      expect(await rows()).toHaveLength(50)
      expect(await refusal(parts().sessions.enter(first.visit))).toBe('unauthorized')
      expect(await refusal(parts().sessions.enter(last.visit))).toBe('taken')
    })

    it('end with a new password elsewhere, and with the operator', async () => {
      const { email } = await joined()
      const [browser] = await signedIn(email)
      const [other] = await signedIn(email)
      const { account, operators, sessions } = parts()
      const change = { password: 'a whole new password' }
      for (const currentPassword of [undefined, 'something else'])
        expect(await refusal(account.changePassword(browser.visit, { ...change, currentPassword }))).toBe(
          'wrong_password',
        )
      await account.changePassword(browser.visit, { ...change, currentPassword: PASSWORD })
      expect(await refusal(sessions.enter(other.visit))).toBe('unauthorized')
      expect(await refusal(sessions.enter(browser.visit))).toBe('taken')
      await joined()
      await operators.as({ name: 'the test' }).remove(email)
      expect(['unauthorized', 'not_an_operator']).toContain(await refusal(sessions.enter(browser.visit)))
    })

    it('of others end by a press', async () => {
      const { email } = await joined()
      const [browser] = await signedIn(email)
      const [other] = await signedIn(email)
      const { account, sessions } = parts()
      const { sessions: listed } = await account.list(browser.visit)
      if (end.ownsAccounts) {
        expect(listed).toHaveLength(3)
        expect(listed?.filter(({ current }) => current)).toHaveLength(1)
      } else expect(listed).toBeNull()
      await account.endOthers(browser.visit)
      expect(await refusal(sessions.enter(other.visit))).toBe('unauthorized')
      expect(await refusal(sessions.enter(browser.visit))).toBe('taken')
    })

    it('are fresh for ten minutes after a password, or a second factor where there is one', async () => {
      const { email } = await joined()
      const [browser, state] = await signedIn(email)
      const { account, sessions } = parts()
      const fresh = (shown: SessionState) => 'freshUntil' in shown && shown.freshUntil !== undefined
      expect(fresh(state)).toBe(true)
      clock.advance(10 * MINUTE + 1_000)
      expect(fresh(await sessions.show(browser.visit))).toBe(false)
      const adding = () => account.addFactor(browser.visit, { type: 'totp', name: 'app' })
      expect(await refusal(adding())).toBe('step_up_needed')
      expect(await refusal(account.stepUp(browser.visit, { password: 'something else' }))).toBe(
        'wrong_password',
      )
      expect(fresh(await account.stepUp(browser.visit, { password: PASSWORD }))).toBe(true)
      const { factorId, secret } = await withApp(browser, email)
      clock.advance(10 * MINUTE + 1_000)
      expect(fresh(await sessions.show(browser.visit))).toBe(false)
      expect(await refusal(account.stepUp(browser.visit, { password: PASSWORD }))).toBe(
        'second_factor_needed',
      )
      const before = browser.secret
      const late = new ConsoleBrowser()
      late.secret = before
      expect(fresh(await account.stepUp(browser.visit, { factorId, code: codeOf(secret) }))).toBe(true)
      expect(browser.secret).not.toBe(before)
      // Requests that were under way may read for a moment, and change nothing.
      expect(await sessions.enter(late.visit)).toMatchObject({ mayChange: false })
      expect(await refusal(account.endOthers(late.visit))).toBe('unauthorized')
      expect(await sessions.enter(browser.visit)).toMatchObject({ mayChange: true })
      clock.advance(11_000)
      expect(await refusal(sessions.enter(late.visit))).toBe('unauthorized')
    })

    it('count less once their factor is gone', async () => {
      const { email, browser } = await joined()
      const { factorId } = await withApp(browser, email)
      expect(await parts().account.removeFactor(browser.visit, factorId)).toMatchObject({
        factors: [],
        operator: { email },
      })
    })

    describe('have their tokens renewed', () => {
      /** Counts how often the auth wire is asked for new tokens. */
      const counted = (process: AuthEnd) => {
        const asked: string[] = []
        const reach: typeof fetch = (input, init) => {
          if (String(input).includes('grant_type=refresh_token')) asked.push(String(input))
          return process.fetch(input, init)
        }
        return { asked, ...sessionsOf({ ...process, fetch: reach }, { clock: waiting }) }
      }
      /** Time that passes by itself for whoever waits. */
      const waiting: Clock = {
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        after(milliseconds, run) {
          const timer = setTimeout(run, Math.min(milliseconds, 20))
          return () => clearTimeout(timer)
        },
      }

      it.each([1, 2])('once, where %i processes ask at the same time', async (processes) => {
        const { email } = await joined()
        const [browser] = await signedIn(email)
        clock.advance(HOUR)
        const servers = Array.from({ length: processes }, () => counted(end))
        const shown = await Promise.all(
          servers.flatMap(({ sessions }) => [1, 2, 3].map(() => sessions.show(browser.visit))),
        )
        for (const state of shown) expect(state).toMatchObject({ signedIn: true, operator: { email } })
        expect(servers.flatMap(({ asked }) => asked)).toHaveLength(1)
      })

      it('again by the next, where the first was killed', async () => {
        const { email } = await joined()
        const [browser] = await signedIn(email)
        clock.advance(HOUR)
        await end.db.query('update back_office.console_sessions set renewing_until = $1', [
          new Date(clock.now() - 1),
        ])
        expect(await counted(end).sessions.show(browser.visit)).toMatchObject({ signedIn: true })
      })

      it('and stay where the auth wire does not answer', async () => {
        const { email } = await joined()
        const [browser] = await signedIn(email)
        const gone = () => {
          const reach: typeof fetch = () => Promise.reject(new TypeError('gone'))
          return sessionsOf({ ...end, fetch: reach }, { clock: waiting }).sessions
        }
        clock.advance(HOUR)
        expect(await refusal(gone().show(browser.visit))).toBe('accounts_unreachable')
        expect(await counted(end).sessions.show(browser.visit)).toMatchObject({ operator: { email } })
      })
    })

    it('are nobody where the installation has another key', async () => {
      const { browser } = await joined()
      await end.db.exec("update back_office.console_sessions set tokens = 'v1.AAAA.BBBB'")
      expect(await parts().sessions.show(browser.visit)).toMatchObject({ signedIn: false })
    })
  })
}
