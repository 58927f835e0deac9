import type { Queryable } from '@heyline/database'
import { hasCome } from '@heyline/kit/stored-time'
import { AuthError } from '../wire/auth-error.js'
import { isUuid } from './readers.js'

/** How long a challenge can be answered, in seconds. */
export const CHALLENGE_LIFE_S = 300

/** Most codes that are tried on one text message. */
const MOST_TRIES = 5

/** Most challenges that are kept of a factor. The oldest go. */
const MOST_KEPT = 20

export interface ChallengeRow {
  id: string
  created_at: Date
  verified_at: Date | null
  ip_address: string
  otp_hash: string | null
  attempts: number
}

/** What a challenge is made of. */
export interface NewChallenge {
  id: string
  factorId: string
  address: string
  /** Of the digits that go to a phone. */
  otpHash?: string
  at: Date
}

export async function addChallenge(
  tx: Queryable,
  { id, factorId, address, otpHash, at }: NewChallenge,
): Promise<void> {
  await tx.query(
    `delete from auth.mfa_challenges where id in (
       select id from auth.mfa_challenges where factor_id = $1 order by created_at desc, id offset $2
     )`,
    [factorId, MOST_KEPT - 1],
    { prepared: true },
  )
  await tx.query(
    'insert into auth.mfa_challenges (id, factor_id, ip_address, otp_hash, created_at) values ($1, $2, $3, $4, $5)',
    [id, factorId, address, otpHash, at],
    { prepared: true },
  )
}

/** A challenge of the factor that can still be answered, from the address that asked for it. */
export async function openChallenge(
  tx: Queryable,
  { id, factorId, address, now }: { id: string; factorId: string; address: string; now: number },
): Promise<ChallengeRow> {
  const sql = `select id, created_at, verified_at, ip_address, otp_hash, attempts
    from auth.mfa_challenges where id = $1 and factor_id = $2`
  const [challenge] = isUuid(id)
    ? (await tx.query<ChallengeRow>(sql, [id, factorId], { prepared: true })).rows
    : []
  if (!challenge)
    throw new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
  if (challenge.verified_at || challenge.ip_address !== address)
    throw new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')
  const createdAt = challenge.created_at.getTime()
  const isOver = createdAt + CHALLENGE_LIFE_S * 1000 < now || !hasCome(createdAt, now)
  if (isOver || (challenge.otp_hash && challenge.attempts >= MOST_TRIES))
    throw new AuthError(
      422,
      'mfa_challenge_expired',
      `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`,
    )
  return challenge
}
