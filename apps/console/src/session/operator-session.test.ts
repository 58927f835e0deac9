import { createOfficeClient } from '@heyline/back-office/client'
import { describe, expect, it } from 'vitest'
import type { OpenedLink } from '../opening/opened-link.js'
import {
  type Answer,
  SIGNED_OUT,
  scriptedFactor,
  scriptedState,
  scriptedWire,
} from '../testing/scripted-wire.js'
import { FAILURE_TEXTS, TEXTS } from '../texts.js'
import { OperatorSession } from './operator-session.js'

const OPERATOR = { userId: 'user', email: 'ada@example.com', role: 'owner' }
const APP = scriptedFactor('11111111-1111-4111-8111-111111111111')
const HOME = { name: 'home', operator: OPERATOR, factors: [] }
const CODES = Array.from({ length: 10 }, (_, index) => `code-${index}`)
const SIGN_IN = 'POST /session/sign-in'
const SHOW = 'GET /session'

function opened(script: Record<string, Answer | Answer[]>, link?: OpenedLink) {
  const wire = scriptedWire(script)
  const { session } = createOfficeClient({ url: 'http://localhost:3000', fetch: wire.fetch })
  return { session: new OperatorSession(session, link), ...wire }
}

/** Somebody who is at home. */
async function atHome(script: Record<string, Answer | Answer[]>) {
  const made = opened({ [SHOW]: [200, scriptedState()], ...script })
  await made.session.start()
  expect(made.session.get()).toEqual(HOME)
  return made
}

const error = (status: number, code: string, message = `The server says ${code}`): Answer => [
  status,
  { code, message },
]

describe('opening the console', () => {
  it('goes where the cookie leads', async () => {
    const { session } = opened({ [SHOW]: [200, scriptedState()] })
    expect(session.get()).toEqual({ name: 'opening' })
    await session.start()
    expect(session.get()).toEqual(HOME)
  })

  it('asks strangers to sign in, and says nothing of a session', async () => {
    const { session } = opened({ [SHOW]: [200, SIGNED_OUT] })
    await session.start()
    expect(session.get()).toEqual({ name: 'sign-in' })
  })

  it('says that nobody looks after the installation yet', async () => {
    const { session } = opened({ [SHOW]: [200, { signedIn: false, setupNeeded: true }] })
    await session.start()
    expect(session.get()).toEqual({ name: 'sign-in', setupNeeded: true })
  })

  it('shows a link first, and asks nothing', async () => {
    const { session, names } = opened({}, { kind: 'set-up', code: 'a-code' })
    await session.start()
    expect(session.get()).toEqual({ name: 'set-up', code: 'a-code', opened: 0 })
    expect(names()).toEqual([])
  })

  it('stays with a link that was opened before the answer came', async () => {
    const { session } = opened({ [SHOW]: [200, SIGNED_OUT] })
    const started = session.start()
    session.open({ kind: 'set-up', code: 'a-code' })
    await started
    expect(session.get()).toEqual({ name: 'set-up', code: 'a-code', opened: 1 })
  })

  it('says that nobody answered, and goes on once somebody does', async () => {
    const { session } = opened({ [SHOW]: [error(502, 'accounts_unreachable'), [200, SIGNED_OUT]] })
    await session.start()
    expect(session.get()).toMatchObject({
      name: 'unreached',
      failure: { text: 'The server says accounts_unreachable.' },
    })
    await session.enter()
    expect(session.get()).toEqual({ name: 'sign-in' })
  })
})

describe('signing in', () => {
  it('leads home, and says who is there by the table of operators', async () => {
    const { session, asked } = opened({ [SIGN_IN]: [200, scriptedState()] })
    expect(await session.signIn('ada@example.com', 'a long password')).toBeUndefined()
    expect(session.get()).toEqual(HOME)
    expect(asked[0]?.body).toEqual({ email: 'ada@example.com', password: 'a long password' })
  })

  it('says what to do about a wrong password, and stays', async () => {
    const { session } = opened({ [SHOW]: [200, SIGNED_OUT], [SIGN_IN]: error(400, 'invalid_credentials') })
    await session.start()
    expect(await session.signIn('ada@example.com', 'a wrong password')).toMatchObject({
      code: 'invalid_credentials',
      text: FAILURE_TEXTS.invalid_credentials?.(''),
    })
    expect(session.get()).toEqual({ name: 'sign-in' })
  })

  it('passes on how long to wait', async () => {
    const said = error(429, 'over_request_rate_limit', 'Try again in 4 seconds.')
    const { session } = opened({ [SIGN_IN]: said })
    expect((await session.signIn('a@b.example', 'a password'))?.text).toBe('Try again in 4 seconds.')
  })

  it('says when the next text message can be sent', async () => {
    const said = 'For security purposes, you can only request this after 29 seconds.'
    const { session } = opened({ 'POST /session/code': error(429, 'over_sms_send_rate_limit', said) })
    const text = 'Another text message can be sent in 29 seconds. Wait until then.'
    expect(await session.sendCode(APP.id)).toMatchObject({ failure: { text } })
  })

  it('says that nobody answered, and that the server failed', async () => {
    const { session } = opened({})
    expect(await session.signIn('a@b.example', 'a password')).toEqual({ text: TEXTS.unreachable })
    const failing = opened({ [SIGN_IN]: error(500, 'internal') }).session
    expect((await failing.signIn('a@b.example', 'a password'))?.text).toBe(TEXTS.serverFailed)
  })

  it.each([
    ['not-an-operator', { name: 'not-an-operator' }],
    ['add-factor', { name: 'add-factor', isNeeded: true }],
    ['second-factor', { name: 'second-factor', factors: [APP] }],
  ] as const)('leads on to %s', async (step, screen) => {
    const { session } = opened({ [SIGN_IN]: [200, scriptedState({ factors: [APP], next: { step } })] })
    expect(await session.signIn('ada@example.com', 'a long password')).toBeUndefined()
    expect(session.get()).toEqual(screen)
  })
})

describe('the second factor', () => {
  it('takes the session on', async () => {
    const { session, asked } = opened({
      'POST /session/confirm': [error(422, 'mfa_verification_failed'), [200, scriptedState()]],
    })
    expect(await session.confirm(APP.id, '000000')).toMatchObject({ field: 'code' })
    expect(await session.confirm(APP.id, '123456', 'challenge')).toBeUndefined()
    expect(session.get().name).toBe('home')
    expect(asked.map(({ body }) => body)).toEqual([
      { factorId: APP.id, code: '000000' },
      { factorId: APP.id, code: '123456', challengeId: 'challenge' },
    ])
  })

  it('gives way to a recovery code', async () => {
    const { session } = opened({ 'POST /session/recovery-code': [200, scriptedState()] })
    expect(await session.spendRecoveryCode(APP.id, '7k2m-x9qd-p3ta-0hv4')).toBeUndefined()
    expect(session.get().name).toBe('home')
  })

  it('brings ten recovery codes when it is the first, and none where nobody makes them', async () => {
    const totp = { qrCode: 'data:image/svg+xml,x', secret: 'ABCD', uri: 'otpauth://totp/a' }
    for (const recoveryCodes of [CODES, undefined]) {
      const { session } = opened({
        'POST /session/factors': [200, { id: APP.id, type: 'totp', totp }],
        'POST /session/factors/finish': [200, { session: scriptedState(), recoveryCodes }],
        [SHOW]: [200, scriptedState()],
      })
      const made = await session.enrol({ type: 'totp', name: 'Authenticator app' })
      if ('failure' in made) throw new Error(made.failure.text)
      expect(made.enrolment.totp).toEqual(totp)
      expect(await session.finishEnrolment(made.enrolment, '123456')).toBeUndefined()
      if (recoveryCodes) {
        expect(session.get()).toEqual({ name: 'recovery-codes', codes: CODES })
        await session.enter()
      }
      expect(session.get()).toEqual(HOME)
    }
  })

  it('is asked for again where this session was raised by the one that is removed', async () => {
    const next = { step: 'second-factor' } as const
    const { session } = await atHome({
      'POST /session/factors/remove': [200, scriptedState({ factors: [APP], next })],
    })
    expect(await session.removeFactor(APP.id)).toBeUndefined()
    expect(session.get()).toEqual({ name: 'second-factor', factors: [APP] })
  })
})

describe('what needs a step-up', () => {
  it('asks first, and is done then', async () => {
    const { session, names } = await atHome({
      'POST /session/recovery-codes': [error(403, 'step_up_needed'), [200, { codes: CODES }]],
      'POST /session/step-up': [error(403, 'wrong_password'), [200, scriptedState()]],
    })
    await session.newRecoveryCodes()
    expect(session.get()).toEqual({ name: 'step-up', email: 'ada@example.com', factors: [] })
    expect(await session.stepUp({ password: 'a wrong one' })).toMatchObject({ field: 'currentPassword' })
    expect(session.get().name).toBe('step-up')
    expect(await session.stepUp({ password: 'a long password' })).toBeUndefined()
    expect(session.get()).toEqual({ name: 'recovery-codes', codes: CODES })
    expect(names().filter((name) => name.endsWith('/recovery-codes'))).toHaveLength(2)
  })

  it('is given up by going on', async () => {
    const { session } = await atHome({ 'POST /session/recovery-codes': error(403, 'step_up_needed') })
    await session.newRecoveryCodes()
    await session.enter()
    expect(session.get()).toEqual(HOME)
  })

  it('is shown again where it is more than a press', async () => {
    const { session } = await atHome({
      'POST /session/factors': error(403, 'step_up_needed'),
      'POST /session/step-up': [200, scriptedState()],
    })
    session.show({ name: 'add-factor', isNeeded: false })
    await session.enrol({ type: 'totp', name: 'app' })
    expect(session.get().name).toBe('step-up')
    await session.stepUp({ factorId: APP.id, code: '123456' })
    expect(session.get()).toEqual({ name: 'add-factor', isNeeded: false })
  })
})

describe('links', () => {
  const HASH = 'a-token-hash'
  const SET_UP = 'POST /session/set-up'

  it('set-up makes the owner and signs in', async () => {
    const { session, asked } = opened(
      { [SET_UP]: [200, { isNew: true, session: scriptedState() }] },
      { kind: 'set-up', code: 'a-code' },
    )
    expect(await session.setUp('a-code', 'ada@example.com', 'a long password')).toBeUndefined()
    expect(asked[0]?.body).toEqual({ code: 'a-code', email: 'ada@example.com', password: 'a long password' })
    expect(session.get().name).toBe('home')
  })

  it.each([
    ['own-password', false],
    ['set-up', true],
  ])('set-up says %s where nobody is signed in by it', async (notice, isNew) => {
    const { session } = opened(
      { [SET_UP]: [200, { isNew, session: SIGNED_OUT }] },
      { kind: 'set-up', code: 'a-code' },
    )
    expect(await session.setUp('a-code', 'ada@example.com', 'a long password')).toBeUndefined()
    expect(session.get()).toEqual({ name: 'sign-in', notice })
  })

  it('set-up passes on why the server refuses', async () => {
    const { session } = opened({ [SET_UP]: error(403, 'invalid_code') }, { kind: 'set-up', code: 'c' })
    expect((await session.setUp('c', 'a@b.example', 'a password'))?.text).toBe(
      'The server says invalid_code.',
    )
    expect(session.get().name).toBe('set-up')
  })

  it('an invitation is used up by a press only, and asks for a password', async () => {
    const next = { step: 'new-password', link: 'invite' } as const
    const { session, asked, names } = opened(
      {
        'POST /session/link': [200, scriptedState({ next })],
        'POST /session/password': [200, scriptedState()],
      },
      { kind: 'invite', tokenHash: HASH },
    )
    expect(names()).toEqual([])
    expect(await session.spendLink('invite', HASH)).toBeUndefined()
    expect(asked[0]?.body).toEqual({ type: 'invite', tokenHash: HASH })
    expect(session.get()).toEqual({ name: 'new-password', type: 'invite', email: 'ada@example.com' })
    expect(await session.changePassword('a long password')).toBeUndefined()
    expect(asked[1]?.body).toEqual({ password: 'a long password' })
    expect(session.get().name).toBe('home')
  })

  it('a link that was used already says so', async () => {
    const { session } = opened(
      { 'POST /session/link': error(403, 'otp_expired') },
      { kind: 'invite', tokenHash: HASH },
    )
    expect((await session.spendLink('invite', HASH))?.text).toBe(FAILURE_TEXTS.otp_expired?.(''))
    expect(session.get().name).toBe('link')
  })

  it('one that is opened while somebody is signed in signs nobody out before it is used, and does not come back', async () => {
    const next = { step: 'new-password', link: 'invite' } as const
    const { session, names } = await atHome({ 'POST /session/link': [200, scriptedState({ next })] })
    session.open({ kind: 'invite', tokenHash: HASH })
    expect(session.get()).toEqual({ name: 'link', type: 'invite', tokenHash: HASH, opened: 1 })
    await session.spendLink('invite', HASH)
    expect(session.get().name).toBe('new-password')
    expect(names()).toEqual([SHOW, 'POST /session/link'])
  })

  it.each<[string, Answer]>([
    ['an answer', [200, SIGNED_OUT]],
    ['an end', error(401, 'unauthorized')],
  ])('one that is opened while something is asked stays when %s comes', async (_, answer) => {
    const { session } = opened({ [SHOW]: answer }, { kind: 'invite', tokenHash: HASH })
    const entering = session.enter()
    session.open({ kind: 'invite', tokenHash: HASH })
    await entering
    expect(session.get()).toEqual({ name: 'link', type: 'invite', tokenHash: HASH, opened: 1 })
  })
})

describe('the password', () => {
  it('is changed by who knows the present one', async () => {
    const { session, asked } = await atHome({
      'POST /session/password': [error(403, 'wrong_password'), [200, scriptedState()]],
    })
    expect(await session.changePassword('a new password', 'a guess')).toMatchObject({
      field: 'currentPassword',
    })
    expect(await session.changePassword('a new password', 'the old one')).toBeUndefined()
    expect(asked.at(-1)?.body).toEqual({ password: 'a new password', currentPassword: 'the old one' })
    expect(session.get()).toEqual(HOME)
  })
})

describe('the end of a session', () => {
  it('leads to the sign-in and says why', async () => {
    const { session } = await atHome({ 'GET /session/all': error(401, 'unauthorized') })
    expect(await session.sessions()).toMatchObject({
      failure: { text: 'Your session has ended. Sign in again.' },
    })
    expect(session.get()).toEqual({ name: 'sign-in', notice: 'ended' })
  })

  it('is no end before the server knows of it', async () => {
    const { session } = await atHome({
      'POST /session/sign-out': [error(503, 'busy', 'Try again in a moment.'), [200, SIGNED_OUT]],
    })
    expect(await session.signOut()).toMatchObject({ text: 'Try again in a moment.' })
    expect(session.get().name).toBe('home')
    expect(await session.signOut()).toBeUndefined()
    expect(session.get()).toEqual({ name: 'sign-in', notice: 'signed-out' })
  })

  it('is a sign-out still where what was asked before is refused after it', async () => {
    const { session } = await atHome({
      'POST /session/sign-out': [200, SIGNED_OUT],
      'GET /session/all': error(401, 'unauthorized'),
      [SHOW]: [
        [200, scriptedState()],
        [200, SIGNED_OUT],
      ],
    })
    const sessions = session.sessions()
    await session.signOut()
    await sessions
    await session.enter()
    expect(session.get()).toEqual({ name: 'sign-in', notice: 'signed-out' })
  })
})
