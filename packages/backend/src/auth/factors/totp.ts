import { Secret, TOTP } from 'otpauth'

/** What every authenticator app does where nothing is said: RFC 6238 with SHA-1, six digits, a step of 30 seconds. */
const APP = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** How many steps a phone's clock may be ahead or behind. */
const WINDOW = 1

/** 160 random bits, as RFC 4226 asks for, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** What an authenticator app reads, `otpauth://totp/…`. It holds the secret. */
export const totpUri = (of: { secret: string; issuer: string; label: string }): string =>
  new TOTP({ ...APP, issuer: of.issuer, label: of.label, secret: Secret.fromBase32(of.secret) }).toString()

/**
 * The step (its number since 1970) whose code this is, or undefined. A step is taken once: those up to `lastStep` are over.
 * `at` is in milliseconds.
 */
export function stepOf(
  code: string,
  { secret, at, lastStep }: { secret: string; at: number; lastStep?: number | null },
): number | undefined {
  const delta = new TOTP({ ...APP, secret: Secret.fromBase32(secret) }).validate({
    token: code,
    timestamp: at,
    window: WINDOW,
  })
  if (delta === null) return undefined
  const step = Math.floor(at / (APP.period * 1000)) + delta
  return step > (lastStep ?? -1) ? step : undefined
}
