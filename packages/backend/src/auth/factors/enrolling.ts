import { randomUUID } from 'node:crypto'
import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import { auditRepeated } from '../audit/audit.js'
import { Quotas } from '../guards/quotas.js'
import { hold } from '../sessions/held-session.js'
import { isSecond, type SignedIn } from '../sessions/session.js'
import { AuthError } from '../wire/auth-error.js'
import { phoneShape, readFields } from '../wire/fields.js'
import type { AuthRequest, AuthRoute } from '../wire/request.js'
import { type FactorRow, type FactorType, factorsOf } from './factor.js'
import { type FactorParts, ISSUER_NAME } from './parts.js'
import { qrCodeOf } from './qr-code.js'
import { lineShape } from './readers.js'
import { newTotpSecret, totpUri } from './totp.js'

/** Most factors of an account. */
const MOST_FACTORS = 10

/** A factor that nobody verified goes when another one is enrolled, so long after its last sign of life, in ms. */
const UNVERIFIED_FOR_MS = 300_000

const typeShape = z.object({
  factor_type: z.literal(['totp', 'phone', 'webauthn'], 'factor_type needs to be totp, phone, or webauthn'),
})
const nameShape = z.object({ friendly_name: lineShape('friendly_name') })
const appShape = nameShape.extend({ issuer: lineShape('issuer') })
const numberShape = nameShape.extend({ phone: lineShape('phone') })

interface NewFactor {
  id: string
  type: FactorType
  name: string
  secret?: string
  phone?: string
}

/** `POST /factors`: a factor that is good for nothing until a code of it was verified. */
export function enrolling(parts: FactorParts): AuthRoute {
  const { db, sessions, seal, sendText, clock } = parts
  const quotas = new Quotas(parts)
  const makers: Record<FactorType, (asked: AuthRequest, signedIn: SignedIn) => Promise<unknown>> = {
    async totp(asked, signedIn) {
      const { friendly_name: name, issuer: asIssuer } = readFields(appShape, asked.body)
      const issuer = asIssuer || ISSUER_NAME
      const id = randomUUID()
      const secret = newTotpSecret()
      await add(asked, signedIn, { id, type: 'totp', name, secret: seal.seal(secret, id) })
      const { email, phone } = signedIn.user
      const uri = totpUri({ secret, issuer, label: email ?? phone ?? signedIn.user.id })
      return { id, type: 'totp', friendly_name: name, totp: { qr_code: await qrCodeOf(uri), secret, uri } }
    },

    async phone(asked, signedIn) {
      if (!sendText)
        throw new AuthError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
      const { friendly_name: name, phone: given } = readFields(numberShape, asked.body)
      if (!given) throw AuthError.invalid('Phone number required to enroll Phone factor')
      const phone = readFields(phoneShape, given)
      const id = randomUUID()
      await add(asked, signedIn, { id, type: 'phone', name, phone })
      return { id, type: 'phone', friendly_name: name, phone }
    },
  }

  async function add({ address }: AuthRequest, signedIn: SignedIn, factor: NewFactor): Promise<void> {
    await db.transaction(async (tx) => {
      const held = await hold(tx, signedIn)
      const { user } = held
      const now = new Date(clock.now())
      await forget(tx, user.id, factor, now)
      check(held, await factorsOf(tx, user.id), factor)
      await quotas.take(tx, 'factors', user.id)
      await tx.query(
        `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, secret, phone, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $7)`,
        [factor.id, user.id, factor.name, factor.type, factor.secret, factor.phone, now],
      )
      const traits = { factor_id: factor.id, factor_type: factor.type }
      await auditRepeated(tx, { action: 'factor_in_progress', actor: user, address, traits })
    })
  }

  return async (asked) => {
    const signedIn = await sessions.authenticate(asked.request)
    const { factor_type: type } = readFields(typeShape, asked.body)
    if (type === 'webauthn')
      throw new AuthError(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
    return { body: await makers[type](asked, signedIn) }
  }
}

/** Enrolments that were given up: old ones, and one of the same number. */
async function forget(tx: Queryable, userId: string, { phone }: NewFactor, now: Date): Promise<void> {
  await tx.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
     and (phone = $2 or greatest(created_at, last_challenged_at) < $3)`,
    [userId, phone, new Date(now.getTime() - UNVERIFIED_FOR_MS)],
  )
}

function check(signedIn: SignedIn, factors: readonly FactorRow[], { name, phone }: NewFactor): void {
  const verified = factors.filter(({ status }) => status === 'verified')
  if (verified.length > 0 && !isSecond(signedIn))
    throw new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')
  if (phone && verified.some((factor) => factor.phone === phone))
    throw new AuthError(
      422,
      'mfa_verified_factor_exists',
      'A verified phone factor already exists, unenroll the existing factor to continue',
    )
  if (factors.some(({ friendly_name }) => friendly_name === name))
    throw new AuthError(
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${name}" for this user already exists`,
    )
  if (factors.length >= MOST_FACTORS)
    throw new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    )
}
