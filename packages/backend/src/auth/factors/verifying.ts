import type { Queryable } from '@heyline/database'
import { SealError } from '@heyline/kit/seal'
import { isSameSecret } from '@heyline/kit/secret'
import { z } from 'zod'
import { auditRepeated } from '../audit/audit.js'
import { Passes } from '../guards/passes.js'
import { hold } from '../sessions/held-session.js'
import type { SignedIn } from '../sessions/session.js'
import { AuthError } from '../wire/auth-error.js'
import { idOf, readFields } from '../wire/fields.js'
import type { AuthRequest, AuthRoute } from '../wire/request.js'
import { openChallenge } from './challenge.js'
import { KeyedHash, recoveryCodeOf, sixDigitsOf } from './codes.js'
import { answerableFactor, type FactorRow, type FactorType } from './factor.js'
import { CodeGuesses, type Guessed } from './guesses.js'
import type { FactorParts } from './parts.js'
import { lineShape } from './readers.js'
import { takeRecoveryCode } from './recovery.js'
import { stepOf } from './totp.js'

const codeShape = z.object({
  challenge_id: lineShape('challenge_id'),
  code: lineShape('code').refine((code) => code !== '', 'Code needs to be non-empty'),
})

/** How each kind of factor is called in the `amr` of a token, and what is said of a wrong code. */
const KINDS: Record<FactorType, { method: string; wrong: string }> = {
  totp: { method: 'totp', wrong: 'Invalid TOTP code entered' },
  phone: { method: 'mfa/phone', wrong: 'Invalid MFA Phone code entered' },
}

/** A code that was given for a factor. */
interface Given extends Guessed {
  challengeId: string
  code: string
  address: string
}

/** The letters of a recovery code, where one was given that may stand in for the factor. */
const recoveryOf = (factor: FactorRow, code: string): string | undefined =>
  factor.status === 'verified' ? recoveryCodeOf(code) : undefined

/** `POST /factors/{id}/verify`: takes the session to aal2. A wrong code is counted although the answer is an error. */
export function verifying(parts: FactorParts): AuthRoute {
  const { db, sessions, attempts, places, seal, key, clock, logger } = parts
  const hashes = new KeyedHash(key)
  const guesses = new CodeGuesses(parts)
  const passes = new Passes(parts)

  /** How the code proves who it is, as the method of `amr`; undefined for a wrong code. What proves it is taken: it does so once. */
  async function prove(tx: Queryable, given: Given): Promise<string | undefined> {
    const { factor, userId, challengeId, address } = given
    const recovery = recoveryOf(factor, given.code)
    const now = clock.now()
    if (recovery !== undefined) {
      const hash = hashes.hash(recovery, userId)
      return (await takeRecoveryCode(tx, { userId, hash, at: new Date(now) }))
        ? 'mfa/recovery_code'
        : undefined
    }
    const challenge = await openChallenge(tx, { id: challengeId, factorId: factor.id, address, now })
    await tx.query('update auth.mfa_challenges set attempts = attempts + 1 where id = $1', [challenge.id], {
      prepared: true,
    })
    const digits = sixDigitsOf(given.code)
    if (digits === undefined) return undefined
    const { method } = KINDS[factor.factor_type]
    if (challenge.otp_hash !== null)
      return isSameSecret(hashes.hash(digits, challenge.id), challenge.otp_hash) ? method : undefined
    return (await takeStep(tx, factor, digits)) ? method : undefined
  }

  /** A 500 would be a network fault to auth-js, which shows no sentence of it. */
  function open(sealed: string, factorId: string): string {
    try {
      return seal.open(sealed, factorId)
    } catch (cause) {
      if (!(cause instanceof SealError)) throw cause
      logger.error({ err: cause, factor: factorId }, 'a second factor cannot be read')
      throw new AuthError(
        422,
        'mfa_verification_failed',
        'This factor cannot be read: the secret key of the server was changed. Have it removed, and enroll it again',
        { cause },
      )
    }
  }

  /** Takes the step of an app's code: of several processes that are given it, one does. */
  async function takeStep(tx: Queryable, factor: FactorRow, digits: string): Promise<boolean> {
    if (factor.secret === null) return false
    const secret = open(factor.secret, factor.id)
    const step = stepOf(digits, { secret, at: clock.now(), lastStep: factor.last_step })
    if (step === undefined) return false
    const { rowCount } = await tx.query(
      'update auth.mfa_factors set last_step = $2 where id = $1 and coalesce(last_step, -1) < $2',
      [factor.id, step],
      { prepared: true },
    )
    return rowCount === 1
  }

  async function raise(tx: Queryable, signedIn: SignedIn, given: Given, method: string): Promise<void> {
    const { user, session } = signedIn
    const { factor } = given
    const now = new Date(clock.now())
    await guesses.right(tx, given)
    if (session.aal === 'aal1') {
      const known = session.known ?? undefined
      await passes.followed(tx, { userId: user.id, place: given.place, known })
    }
    await places.add(tx, user.id, attempts.hashed(given.place))
    await tx.query(
      `update auth.mfa_factors set status = 'verified', failures = 0, locked_until = null, updated_at = $2
       where id = $1`,
      [factor.id, now],
    )
    // Who answered one challenge needs no other: a code that is still under way must not be good for anybody.
    await tx.query(
      'update auth.mfa_challenges set verified_at = $2 where factor_id = $1 and verified_at is null',
      [factor.id, now],
    )
    await tx.query(
      `delete from auth.mfa_factors where user_id = $1 and factor_type = $2 and status = 'unverified'`,
      [user.id, factor.factor_type],
    )
    await sessions.raise(tx, session.id, { factorId: factor.id, method })
    await tx.query("delete from auth.sessions where user_id = $1 and aal = 'aal1'", [user.id])
  }

  /** Counts it, and says so: the transaction is to be committed. */
  async function refuse(tx: Queryable, given: Given): Promise<AuthError> {
    await guesses.wrong(tx, given)
    return new AuthError(422, 'mfa_verification_failed', KINDS[given.factor.factor_type].wrong)
  }

  const attempt = (asked: AuthRequest, signedIn: SignedIn): Promise<AuthError | Record<string, unknown>> =>
    db.transaction(async (tx) => {
      const held = await hold(tx, signedIn)
      const { user } = held
      const { address, place, body } = asked
      const factor = await answerableFactor(tx, held, idOf(asked.ids, 0, 'factor_id'))
      const { code, challenge_id: challengeId } = readFields(codeShape, body)
      const isRecovery = recoveryOf(factor, code) !== undefined
      const given = { factor, userId: user.id, challengeId, code, address, place, isRecovery }
      await guesses.demandOpen(tx, given)
      const method = await prove(tx, given)
      const refusal = method === undefined ? await refuse(tx, given) : undefined
      if (method !== undefined) await raise(tx, held, given, method)
      const verified = !refusal
      const traits = { factor_id: factor.id, factor_type: factor.factor_type, method, verified }
      const entry = { action: 'verification_attempted', actor: user, address, traits }
      // Wrong codes hide no right one.
      await auditRepeated(tx, entry, { verified })
      return refusal ?? (await sessions.tokenResponse(tx, user.id, held.session.id))
    })

  return async (asked) => {
    const signedIn = await sessions.authenticate(asked.request)
    const answer = await attempt(asked, signedIn)
    // A wrong code that was counted has to stay so.
    if (answer instanceof AuthError) throw answer
    return { body: answer }
  }
}
