import type { Queryable } from '@heyline/database'
import { auditRepeated } from '../audit/audit.js'
import { Quotas } from '../guards/quotas.js'
import { hold } from '../sessions/held-session.js'
import { isSecond } from '../sessions/session.js'
import { AuthError } from '../wire/auth-error.js'
import type { AuthRoute } from '../wire/request.js'
import { KeyedHash, newRecoveryCodes, recoveryCodeOf } from './codes.js'
import { hasVerified } from './factor.js'
import type { FactorParts } from './parts.js'

/**
 * `POST /recovery_codes`, an addition of ours: `{"codes": […]}`, ten new ones, shown once. Those before them end. Each is good once, as the
 * `code` of `mfa.verify` for any verified factor; it needs no challenge, so any `challenge_id` will do.
 */
export function recoveryCodes(parts: FactorParts): AuthRoute {
  const { db, sessions, key, clock } = parts
  const hashes = new KeyedHash(key)
  const quotas = new Quotas(parts)

  return async (asked) => {
    const signedIn = await sessions.authenticate(asked.request)
    const codes = newRecoveryCodes()
    await db.transaction(async (tx) => {
      const held = await hold(tx, signedIn)
      const { user } = held
      if (!(await hasVerified(tx, user.id)))
        throw new AuthError(422, 'mfa_factor_not_found', 'Set up a second factor before its recovery codes')
      if (!isSecond(held))
        throw new AuthError(403, 'insufficient_aal', 'AAL2 required to make recovery codes')
      await quotas.take(tx, 'recovery codes', user.id)
      await endRecoveryCodes(tx, user.id)
      const made = codes.map((code) => hashes.hash(recoveryCodeOf(code) ?? '', user.id))
      await tx.query(
        `insert into auth.recovery_codes (user_id, code_hash, created_at)
         select $1, code_hash, $3 from jsonb_array_elements_text($2) as code_hash`,
        [user.id, made, new Date(clock.now())],
      )
      await auditRepeated(tx, { action: 'generate_recovery_codes', actor: user, address: asked.address })
    })
    return { body: { codes } }
  }
}

/** Uses a code up; false if there is no such code, or it was used. */
export async function takeRecoveryCode(
  tx: Queryable,
  { userId, hash, at }: { userId: string; hash: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update auth.recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null',
    [userId, hash, at],
  )
  return rowCount === 1
}

export async function endRecoveryCodes(tx: Queryable, userId: string): Promise<void> {
  await tx.query('delete from auth.recovery_codes where user_id = $1', [userId])
}
