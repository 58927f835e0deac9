import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { refuse } from './hosted-refusal.js'

/** An authenticator app of an account at the stand-in. */
export interface HostedFactor {
  id: string
  status: 'unverified' | 'verified'
  factor_type: 'totp'
  friendly_name: string
  secret: string
  created_at: string
}

/** As the project shows it. */
export const factorJson = ({ secret: _, ...factor }: HostedFactor) => ({
  ...factor,
  updated_at: factor.created_at,
})

/** A new factor, and the answer of `POST /factors`. */
export function enrol(factors: HostedFactor[], body: Record<string, unknown>) {
  if (body.factor_type !== 'totp')
    return refuse(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
  const secret = new Secret({ size: 20 })
  const factor: HostedFactor = {
    id: randomUUID(),
    status: 'unverified',
    factor_type: 'totp',
    friendly_name: String(body.friendly_name ?? ''),
    secret: secret.base32,
    created_at: new Date().toISOString(),
  }
  factors.push(factor)
  const uri = new TOTP({ issuer: String(body.issuer ?? 'project'), label: 'account', secret }).toString()
  const totp = { qr_code: '<svg xmlns="http://www.w3.org/2000/svg"/>', secret: factor.secret, uri }
  return { id: factor.id, type: 'totp', friendly_name: factor.friendly_name, totp }
}

export const factorOf = (factors: readonly HostedFactor[], id = ''): HostedFactor =>
  factors.find((factor) => factor.id === id) ?? refuse(404, 'mfa_factor_not_found', 'Factor not found')

/** Refuses a code that is not the present one of this factor. */
export function checkCode({ secret }: HostedFactor, code: unknown, timestamp: number): void {
  const token = String(code)
  if (new TOTP({ secret: Secret.fromBase32(secret) }).validate({ token, window: 1, timestamp }) === null)
    refuse(422, 'mfa_verification_failed', 'Invalid TOTP code entered')
}
