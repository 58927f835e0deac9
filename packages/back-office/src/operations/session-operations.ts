import { z } from 'zod'
import { sessionState } from '../sessions/session-state.js'
import { created, json, operation } from './operation.js'

/** The auth wire is asked several times, in ms. */
const PATIENCE_MS = 30_000
const LONGEST = 10_000

const email = z.string().max(400)
const password = z.string().max(512)
const code = z.string().max(100)
const factor = z.object({ factorId: z.uuid() })
/** The challenge is that of a text message. */
const factorCode = factor.extend({ code, challengeId: z.string().max(100).optional() })
const state = json(sessionState)
const nothing = json(z.object({}))
const codes = z.array(z.string())

/** A session of the account, whoever has it. Times are ISO 8601. */
const accountSession = z.object({
  id: z.string(),
  created_at: z.string(),
  refreshed_at: z.string().nullable(),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
  aal: z.string().nullable(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
})

/** What the console does with its cookie: an access token or a key opens none of it but `show`. All changes need the origin of our own pages. */
export const sessionOperations = {
  show: operation({
    method: 'GET',
    path: '/session',
    summary: 'Who is signed in with this browser, and what they do next',
    role: 'anyone',
    answer: state,
    patienceMs: PATIENCE_MS,
  }),
  signIn: operation({
    method: 'POST',
    path: '/session/sign-in',
    summary: 'Signs in by a password',
    role: 'anyone',
    body: z.object({ email, password }),
    longest: LONGEST,
    answer: state,
    patienceMs: PATIENCE_MS,
  }),
  spendLink: operation({
    method: 'POST',
    path: '/session/link',
    summary: 'Uses the code of an invitation or a reset up, and signs in',
    role: 'anyone',
    body: z.object({ type: z.enum(['invite', 'recovery']), tokenHash: z.string().max(200) }),
    longest: LONGEST,
    answer: state,
    patienceMs: PATIENCE_MS,
  }),
  askReset: operation({
    method: 'POST',
    path: '/session/forgotten',
    summary: 'Has a link for a new password mailed, if there is such an account',
    role: 'anyone',
    body: z.object({ email }),
    longest: LONGEST,
    answer: nothing,
    patienceMs: PATIENCE_MS,
  }),
  setUp: operation({
    method: 'POST',
    path: '/session/set-up',
    summary: 'Makes the first owner by the code of a setup link, and signs in',
    role: 'anyone',
    body: z.object({ code, email, password }),
    longest: LONGEST,
    answer: created(
      z.object({
        /** False for an account that was there already: it keeps its own password. */
        isNew: z.boolean(),
        session: sessionState,
      }),
    ),
    patienceMs: PATIENCE_MS,
  }),
  sendCode: operation({
    method: 'POST',
    path: '/session/code',
    summary: 'Asks for the code of a second factor: a phone is sent one',
    role: 'anyone',
    body: factor,
    longest: LONGEST,
    answer: json(z.object({ challengeId: z.string() })),
    patienceMs: PATIENCE_MS,
  }),
  confirm: operation({
    method: 'POST',
    path: '/session/confirm',
    summary: 'Confirms a sign-in by a second factor',
    role: 'anyone',
    body: factorCode,
    longest: LONGEST,
    answer: state,
    patienceMs: PATIENCE_MS,
  }),
  spendRecoveryCode: operation({
    method: 'POST',
    path: '/session/recovery-code',
    summary: 'Confirms a sign-in by a recovery code',
    role: 'anyone',
    body: factorCode,
    longest: LONGEST,
    answer: state,
    patienceMs: PATIENCE_MS,
  }),
  stepUp: operation({
    method: 'POST',
    path: '/session/step-up',
    summary: 'Opens what needs a fresh second factor, or a fresh password where there is none',
    role: 'anyone',
    body: z
      .object({
        /** Left out: the first one. */
        factorId: z.uuid().optional(),
        code: code.optional(),
        challengeId: z.string().max(100).optional(),
        password: password.optional(),
      })
      .refine(({ password: given, code: of }) => (given === undefined) !== (of === undefined), {
        error: 'Send the code of a factor, or a password',
      }),
    longest: LONGEST,
    answer: state,
    patienceMs: PATIENCE_MS,
  }),
  changePassword: operation({
    method: 'POST',
    path: '/session/password',
    summary:
      'Changes the password, and ends all other sessions; asks for the present one, unless a link signed in',
    role: 'anyone',
    body: z.object({ password, currentPassword: password.optional() }),
    longest: LONGEST,
    answer: state,
    patienceMs: PATIENCE_MS,
  }),
  addFactor: operation({
    method: 'POST',
    path: '/session/factors',
    summary: 'Begins a second factor: a phone is sent its first code',
    role: 'anyone',
    body: z.object({
      type: z.enum(['totp', 'phone']),
      name: z.string().max(64),
      phone: z.string().max(40).optional(),
    }),
    longest: LONGEST,
    answer: json(
      z.object({
        id: z.string(),
        type: z.enum(['totp', 'phone']),
        /** Of an authenticator app. `qrCode` is a `data:` address. */
        totp: z.object({ qrCode: z.string(), secret: z.string(), uri: z.string() }).optional(),
        challengeId: z.string().optional(),
      }),
    ),
    patienceMs: PATIENCE_MS,
  }),
  finishFactor: operation({
    method: 'POST',
    path: '/session/factors/finish',
    summary: 'Turns a second factor on by its first code; the first one brings recovery codes',
    role: 'anyone',
    body: factorCode,
    longest: LONGEST,
    answer: json(z.object({ session: sessionState, recoveryCodes: codes.optional() })),
    patienceMs: PATIENCE_MS,
  }),
  removeFactor: operation({
    method: 'POST',
    path: '/session/factors/remove',
    summary: 'Removes a second factor',
    role: 'viewer',
    stepUp: true,
    body: factor,
    longest: LONGEST,
    answer: state,
    patienceMs: PATIENCE_MS,
  }),
  newRecoveryCodes: operation({
    method: 'POST',
    path: '/session/recovery-codes',
    summary: 'Makes ten recovery codes; those before them end',
    role: 'viewer',
    stepUp: true,
    answer: json(z.object({ codes })),
    patienceMs: PATIENCE_MS,
  }),
  list: operation({
    method: 'GET',
    path: '/session/all',
    summary: "One's own sessions; null where the accounts list none",
    role: 'viewer',
    answer: json(z.object({ sessions: z.array(accountSession).nullable() })),
    isQuick: true,
  }),
  end: operation({
    method: 'POST',
    path: '/session/end',
    summary: "Ends one of one's own sessions",
    role: 'viewer',
    body: z.object({ id: z.uuid() }),
    longest: LONGEST,
    answer: nothing,
  }),
  endOthers: operation({
    method: 'POST',
    path: '/session/end-others',
    summary: "Ends all of one's own sessions but this one",
    role: 'viewer',
    answer: nothing,
  }),
  signOut: operation({
    method: 'POST',
    path: '/session/sign-out',
    summary: 'Ends this session',
    role: 'anyone',
    answer: state,
  }),
}
