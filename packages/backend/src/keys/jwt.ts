import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { RestError } from '../errors/rest-error.js'
import { type Caller, ROLES } from './caller.js'

/** Clocks differ: how far a token may be from its time, in seconds; PostgREST's. */
const CLOCK_TOLERANCE = 30

/** Whether a JWT says that it is an access token of the auth wire, which alone signs with ES256. */
export function isAccessToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg === 'ES256'
  } catch {
    return false
  }
}

/** Who a legacy key (an HS256 JWT) stands for; without a claim `role` it is `anon`. Rejects with a `RestError` of status 401. */
export async function callerOfJwt(token: string, secret: Uint8Array): Promise<Caller> {
  const claims = await verify(token, secret)
  const role = ROLES.find((name) => name === (claims.role ?? 'anon'))
  if (!role) throw invalidToken('PGRST303', 'Parsing claims failed')
  return { role, claims: { ...claims, role } }
}

async function verify(token: string, secret: Uint8Array): Promise<JWTPayload> {
  try {
    const options = { algorithms: ['HS256'], clockTolerance: CLOCK_TOLERANCE }
    return (await jwtVerify(token, secret, options)).payload
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw invalidToken('PGRST303', 'JWT expired', cause)
    if (cause instanceof errors.JWTClaimValidationFailed)
      throw invalidToken(
        'PGRST303',
        cause.claim === 'nbf' ? 'JWT not yet valid' : 'Parsing claims failed',
        cause,
      )
    if (cause instanceof errors.JOSEAlgNotAllowed)
      throw invalidToken('PGRST301', 'Wrong or unsupported encoding algorithm', cause)
    if (cause instanceof errors.JOSEError)
      throw invalidToken('PGRST301', 'No suitable key or wrong key type', cause)
    throw cause
  }
}

/** A token that does not hold: 401. */
export function invalidToken(code: 'PGRST301' | 'PGRST303', message: string, cause?: unknown): RestError {
  const challenge = `Bearer error="invalid_token", error_description="${message}"`
  return new RestError(code, { message, cause, headers: { 'www-authenticate': challenge } })
}
