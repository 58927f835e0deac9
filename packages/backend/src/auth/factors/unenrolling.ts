import type { Queryable } from '@heyline/database'
import { auditRepeated } from '../audit/audit.js'
import { hold } from '../sessions/held-session.js'
import { isSecond } from '../sessions/session.js'
import { AuthError } from '../wire/auth-error.js'
import { idOf } from '../wire/fields.js'
import type { AuthRoute } from '../wire/request.js'
import { factorOf, hasVerified } from './factor.js'
import type { FactorParts } from './parts.js'
import { endRecoveryCodes } from './recovery.js'

/** `DELETE /factors/{id}`: its sessions go back to aal1. */
export function unenrolling({ db, sessions, clock }: FactorParts): AuthRoute {
  return async (asked) => {
    const signedIn = await sessions.authenticate(asked.request)
    const factorId = idOf(asked.ids, 0, 'factor_id')
    const id = await db.transaction(async (tx) => {
      const held = await hold(tx, signedIn)
      const { user } = held
      const factor = await factorOf(tx, user.id, factorId)
      if (factor.status === 'verified' && !isSecond(held))
        throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor')
      await removeFactor(tx, { userId: user.id, factorId: factor.id, at: new Date(clock.now()) })
      const traits = { factor_id: factor.id, factor_status: factor.status, session_id: held.session.id }
      const entry = { action: 'factor_unenrolled', actor: user, address: asked.address, traits } as const
      // Those that were never verified hide none that was.
      await auditRepeated(tx, entry, { factor_status: factor.status })
      return factor.id
    })
    return { body: { id } }
  }
}

/** Removes a factor. Sessions that were raised by it go back to aal1. Recovery codes go with the last verified one. */
export async function removeFactor(
  tx: Queryable,
  { userId, factorId, at }: { userId: string; factorId: string; at: Date },
): Promise<void> {
  await tx.query('delete from auth.mfa_factors where id = $1 and user_id = $2', [factorId, userId])
  await tx.query(
    `update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2, amr = coalesce((
       select jsonb_agg(entry order by place) from jsonb_array_elements(amr) with ordinality as of (entry, place)
       where entry ->> 'method' not in ('totp', 'mfa/phone', 'mfa/recovery_code')
     ), '[]')
     where factor_id = $1`,
    [factorId, at],
  )
  if (!(await hasVerified(tx, userId))) await endRecoveryCodes(tx, userId)
}
