import type { Queryable } from '@heyline/database'
import { isSecond, type SignedIn } from '../sessions/session.js'
import { AuthError } from '../wire/auth-error.js'

export type FactorType = 'totp' | 'phone'

export interface FactorRow {
  id: string
  friendly_name: string
  factor_type: FactorType
  status: 'unverified' | 'verified'
  created_at: Date
  updated_at: Date
  /** Of an app: sealed with the installation's key, as the factor of this id. */
  secret: string | null
  /** E.164. */
  phone: string | null
  last_challenged_at: Date | null
  last_step: number | null
  failures: number
  locked_until: Date | null
}

const COLUMNS = `id, friendly_name, factor_type, status, created_at, updated_at, secret, phone, last_challenged_at, last_step,
  failures, locked_until`

/** The factors of an account, the oldest first. */
export async function factorsOf(tx: Queryable, userId: string): Promise<FactorRow[]> {
  const sql = `select ${COLUMNS} from auth.mfa_factors where user_id = $1 order by created_at, id`
  return (await tx.query<FactorRow>(sql, [userId], { prepared: true })).rows
}

/** A factor of this account; of another's, nothing is told. */
export async function factorOf(tx: Queryable, userId: string, id: string): Promise<FactorRow> {
  const sql = `select ${COLUMNS} from auth.mfa_factors where id = $1 and user_id = $2`
  const [factor] = (await tx.query<FactorRow>(sql, [id, userId], { prepared: true })).rows
  if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found')
  return factor
}

/**
 * A factor whose code may take this session to aal2. A new one may not where another one is verified: somebody who has the password alone
 * could have enrolled it before.
 */
export async function answerableFactor(tx: Queryable, held: SignedIn, id: string): Promise<FactorRow> {
  const factor = await factorOf(tx, held.user.id, id)
  const isNew = factor.status === 'unverified'
  if (isNew && !isSecond(held) && (await hasVerified(tx, held.user.id)))
    throw new AuthError(403, 'insufficient_aal', 'AAL2 required to verify a new factor')
  return factor
}

/** Whether a second factor is asked for. */
export async function hasVerified(tx: Queryable, userId: string): Promise<boolean> {
  return (await factorsOf(tx, userId)).some(({ status }) => status === 'verified')
}
