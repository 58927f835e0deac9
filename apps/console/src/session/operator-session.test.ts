import { afterEach, describe, expect, it } from 'vitest'
import type { OpenedLink } from '../opening/opened-link.js'
import {
  type Answer,
  scriptedFactor,
  scriptedTokens,
  scriptedUser,
  scriptedWire,
} from '../testing/scripted-wire.js'
import { FAILURE_TEXTS, TEXTS } from '../texts.js'
import { AuthWire } from '../wire/auth-wire.js'
import { OwnWire } from '../wire/own-wire.js'
import { OperatorSession } from './operator-session.js'

const SERVER = 'http://localhost:3000'
const OWNER = { email: 'ada@example.com', role: 'owner' }
const ME = 'GET /office/operators/me'
const APP = scriptedFactor('app')
const CODES = Array.from({ length: 10 }, (_, index) => `code-${index}`)

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function opened(script: Record<string, Answer | Answer[]>, link?: OpenedLink, makesRecoveryCodes = true) {
  const wire = scriptedWire(script)
  const options = { authUrl: `${SERVER}/-/backend/auth/v1`, key: 'public', fetch: wire.fetch }
  const auth = new AuthWire(options)
  closers.push(() => auth.close())
  const own = new OwnWire({ ...options, serverUrl: `${SERVER}/-`, token: () => auth.token() })
  const consoleUrl = `${SERVER}/-/console/`
  const session = new OperatorSession({ auth, own, makesRecoveryCodes, consoleUrl }, link)
  return { session, ...wire }
}

const error = (status: number, code: string): Answer => [status, { code, message: `The server says ${code}` }]

describe('signing in', () => {
  it('leads home, and says who is there by the table of operators', async () => {
    const { session, asked } = opened({ 'POST /token': [200, scriptedTokens('aal1')], [ME]: [200, OWNER] })
    expect(session.get()).toEqual({ name: 'sign-in' })
    expect(await session.signIn('ada@example.com', 'a long password')).toBeUndefined()
    expect(session.get()).toEqual({ name: 'home', operator: OWNER })
    expect(asked[0]?.body).toMatchObject({ email: 'ada@example.com', password: 'a long password' })
    expect(asked[0]?.headers.get('apikey')).toBe('public')
    expect(asked.at(-1)?.headers.get('authorization')).toMatch(/^Bearer .+\..+\..+$/)
  })

  it('says what to do about a wrong password, and stays', async () => {
    const { session } = opened({ 'POST /token': error(400, 'invalid_credentials') })
    const failure = await session.signIn('ada@example.com', 'a wrong password')
    expect(failure).toMatchObject({
      code: 'invalid_credentials',
      text: FAILURE_TEXTS.invalid_credentials?.(''),
    })
    expect(session.get()).toEqual({ name: 'sign-in' })
  })

  it('passes on how long to wait', async () => {
    const said = { code: 'over_request_rate_limit', message: 'Try again in 4 seconds.' }
    const { session } = opened({ 'POST /token': [429, said] })
    expect((await session.signIn('a@b.example', 'a password'))?.text).toBe('Try again in 4 seconds.')
  })

  it('says when the next text message can be sent', async () => {
    const said = 'For security purposes, you can only request this after 29 seconds.'
    const { session } = opened({
      'POST /factors/phone/challenge': [429, { code: 'over_sms_send_rate_limit', message: said }],
      'POST /token': [200, scriptedTokens('aal1')],
      [ME]: [200, OWNER],
    })
    await session.signIn('ada@example.com', 'a long password')
    const text = 'Another text message can be sent in 29 seconds. Wait until then.'
    expect(await session.sendCode('phone')).toMatchObject({ failure: { text } })
  })

  it('says that nobody answered', async () => {
    const { session } = opened({})
    expect(await session.signIn('a@b.example', 'a password')).toEqual({ text: TEXTS.unreachable })
  })

  it.each([
    ['not_an_operator', 403, { name: 'not-an-operator' }],
    ['second_factor_needed', 403, { name: 'add-factor', isNeeded: true }],
    ['accounts_unreachable', 502, { name: 'unreached' }],
  ])('leads on when the server says %s', async (code, status, screen) => {
    const { session } = opened({ 'POST /token': [200, scriptedTokens('aal1')], [ME]: error(status, code) })
    expect(await session.signIn('ada@example.com', 'a long password')).toBeUndefined()
    expect(session.get()).toMatchObject(screen)
  })
})

describe('the second factor', () => {
  const script = {
    'POST /token': [200, scriptedTokens('aal1', [APP])] as Answer,
    'GET /user': [200, scriptedUser([APP])] as Answer,
    'POST /factors/app/challenge': [200, { id: 'challenge', type: 'totp', expires_at: 1 }] as Answer,
    [ME]: [200, OWNER] as Answer,
  }

  it('is asked for before anything else, and takes the session on', async () => {
    const { session, asked } = opened({
      ...script,
      'POST /factors/app/verify': [
        error(422, 'mfa_verification_failed'),
        [200, scriptedTokens('aal2', [APP])],
      ],
    })
    await session.signIn('ada@example.com', 'a long password')
    expect(session.get()).toEqual({
      name: 'second-factor',
      factors: [{ id: 'app', type: 'totp', name: 'My totp', addedAt: APP.created_at }],
    })
    expect(await session.confirm('app', '000000')).toMatchObject({ field: 'code' })
    expect(await session.confirm('app', ' 123456 ')).toBeUndefined()
    expect(session.get().name).toBe('home')
    expect(asked.filter(({ name }) => name.endsWith('/verify')).at(-1)?.body).toMatchObject({
      code: '123456',
      challenge_id: 'challenge',
    })
  })

  it('gives way to a recovery code, for which no challenge is made', async () => {
    const verified: Answer = [200, scriptedTokens('aal2', [APP])]
    const { session, names } = opened({ ...script, 'POST /factors/app/verify': verified })
    await session.signIn('ada@example.com', 'a long password')
    expect(await session.spendRecoveryCode('app', '7k2m-x9qd-p3ta-0hv4')).toBeUndefined()
    expect(session.get().name).toBe('home')
    expect(names()).not.toContain('POST /factors/app/challenge')
  })

  it('brings ten recovery codes when it is the first, and none where nobody makes them', async () => {
    const steps = {
      ...script,
      'POST /token': [200, scriptedTokens('aal1')] as Answer,
      [ME]: [error(403, 'second_factor_needed'), [200, OWNER] as Answer],
      'GET /user': [
        [200, scriptedUser([{ ...APP, id: 'old', status: 'unverified' }])],
        [200, scriptedUser([APP])],
      ] as Answer[],
      'DELETE /factors/old': [200, { id: 'old' }] as Answer,
      'POST /factors': [
        200,
        { id: 'app', type: 'totp', totp: { qr_code: '<svg/>', secret: 'ABCD', uri: 'otpauth://totp/a' } },
      ] as Answer,
      'POST /factors/app/verify': [200, scriptedTokens('aal2', [APP])] as Answer,
      'POST /recovery_codes': [200, { codes: CODES }] as Answer,
    }
    for (const makesCodes of [true, false]) {
      const { session, names } = opened(steps, undefined, makesCodes)
      await session.signIn('ada@example.com', 'a long password')
      const made = await session.enrol({ type: 'totp', name: 'Authenticator app' })
      if ('failure' in made) throw new Error(made.failure.text)
      expect(made.enrolment.totp).toEqual({
        qrCode: 'data:image/svg+xml;utf-8,<svg/>',
        secret: 'ABCD',
        uri: 'otpauth://totp/a',
      })
      // What was given up before would keep its name.
      expect(names()).toContain('DELETE /factors/old')
      expect(await session.finishEnrolment(made.enrolment, '123456')).toBeUndefined()
      if (makesCodes) {
        expect(session.get()).toEqual({ name: 'recovery-codes', codes: CODES })
        await session.enter()
      }
      expect(session.get()).toEqual({ name: 'home', operator: OWNER })
    }
  })

  it('is asked for again where this session was raised by the one that is removed', async () => {
    const other = scriptedFactor('other')
    const { session } = opened({
      ...script,
      'POST /token': [
        [200, scriptedTokens('aal2', [APP, other])],
        [200, scriptedTokens('aal1', [other])],
      ],
      'DELETE /factors/app': [200, { id: 'app' }],
      'GET /user': [200, scriptedUser([other])],
    })
    await session.signIn('ada@example.com', 'a long password')
    expect(session.get().name).toBe('home')
    expect(await session.removeFactor('app')).toBeUndefined()
    expect(session.get()).toMatchObject({ name: 'second-factor', factors: [{ id: 'other' }] })
  })
})

describe('links', () => {
  const HASH = 'a-token-hash'

  it('set-up makes the owner and signs in', async () => {
    const { session, asked } = opened(
      {
        'POST /operators/setup': [201, {}],
        'POST /token': [200, scriptedTokens('aal1')],
        [ME]: [200, OWNER],
      },
      { kind: 'set-up', code: 'a-code' },
    )
    expect(session.get()).toEqual({ name: 'set-up', code: 'a-code' })
    expect(await session.setUp('a-code', 'ada@example.com', 'a long password')).toBeUndefined()
    expect(asked[0]?.body).toEqual({ code: 'a-code', email: 'ada@example.com', password: 'a long password' })
    expect(session.get().name).toBe('home')
  })

  it('set-up says so where the account keeps its own password', async () => {
    const { session } = opened(
      { 'POST /operators/setup': [201, {}], 'POST /token': error(400, 'invalid_credentials') },
      { kind: 'set-up', code: 'a-code' },
    )
    expect(await session.setUp('a-code', 'ada@example.com', 'a long password')).toBeUndefined()
    expect(session.get()).toEqual({ name: 'sign-in', notice: 'own-password' })
  })

  it('set-up passes on why the server refuses', async () => {
    const { session } = opened(
      { 'POST /operators/setup': error(410, 'invalid_code') },
      { kind: 'set-up', code: 'c' },
    )
    expect((await session.setUp('c', 'a@b.example', 'a password'))?.text).toBe(
      'The server says invalid_code.',
    )
    expect(session.get().name).toBe('set-up')
  })

  it('an invitation is used up by a press only, and asks for a password', async () => {
    const { session, asked, names } = opened(
      {
        'POST /verify': [200, scriptedTokens('aal1')],
        'PUT /user': [200, scriptedUser()],
        [ME]: [200, OWNER],
      },
      { kind: 'invite', tokenHash: HASH },
    )
    expect(names()).toEqual([])
    expect(await session.spendLink('invite', HASH)).toBeUndefined()
    expect(asked[0]?.body).toMatchObject({ type: 'invite', token_hash: HASH })
    expect(session.get()).toEqual({ name: 'new-password', type: 'invite', email: 'ada@example.com' })
    expect(await session.changePassword('a long password')).toBeUndefined()
    expect(session.get().name).toBe('home')
  })

  it('a reset asks for the second factor first', async () => {
    const { session } = opened(
      {
        'POST /verify': [200, scriptedTokens('aal1', [APP])],
        'GET /user': [200, scriptedUser([APP])],
        'POST /factors/app/challenge': [200, { id: 'challenge', type: 'totp', expires_at: 1 }],
        'POST /factors/app/verify': [200, scriptedTokens('aal2', [APP])],
        'PUT /user': [200, scriptedUser([APP])],
        [ME]: [200, OWNER],
      },
      { kind: 'recovery', tokenHash: HASH },
    )
    await session.spendLink('recovery', HASH)
    expect(session.get().name).toBe('second-factor')
    await session.confirm('app', '123456')
    expect(session.get()).toMatchObject({ name: 'new-password', type: 'recovery' })
    await session.changePassword('a long password')
    expect(session.get().name).toBe('home')
  })

  it('a link that was used already says so', async () => {
    const { session } = opened(
      { 'POST /verify': error(403, 'otp_expired') },
      { kind: 'invite', tokenHash: HASH },
    )
    expect((await session.spendLink('invite', HASH))?.text).toBe(FAILURE_TEXTS.otp_expired?.(''))
    expect(session.get().name).toBe('link')
  })

  it('one that is opened while somebody is signed in signs them out', async () => {
    const { session, names } = opened({
      'POST /token': [200, scriptedTokens('aal1')],
      [ME]: [200, OWNER],
      'POST /logout': [204],
    })
    await session.signIn('ada@example.com', 'a long password')
    await session.open({ kind: 'invite', tokenHash: HASH })
    expect(session.get()).toEqual({ name: 'link', type: 'invite', tokenHash: HASH })
    expect(names()).toContain('POST /logout')
  })
})

describe('the end of a session', () => {
  it.each(['session_not_found', 'user_not_found'])('leads to the sign-in and says why: %s', async (code) => {
    const { session } = opened({
      'POST /token': [200, scriptedTokens('aal1')],
      [ME]: [200, OWNER],
      'GET /sessions': error(403, code),
    })
    await session.signIn('ada@example.com', 'a long password')
    expect(await session.sessions()).toMatchObject({ failure: { text: TEXTS.ended } })
    expect(session.get()).toEqual({ name: 'sign-in', notice: 'ended' })
  })

  it('is no end before the server knows of it', async () => {
    const { session } = opened({
      'POST /token': [200, scriptedTokens('aal1')],
      [ME]: [200, OWNER],
      'POST /logout': [error(503, 'not_now'), [204]],
    })
    await session.signIn('ada@example.com', 'a long password')
    expect(await session.signOut()).toMatchObject({ text: TEXTS.unreachable })
    expect(session.get().name).toBe('home')
    expect(await session.signOut()).toBeUndefined()
    expect(session.get()).toEqual({ name: 'sign-in', notice: 'signed-out' })
  })
})
