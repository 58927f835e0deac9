import { isSameSecret } from '@heyline/kit/secret'
import { RestError } from '../errors/rest-error.js'
import type { Caller } from './caller.js'
import { callerOfJwt, isAccessToken } from './jwt.js'

/** The keys of the wire. */
export interface BackendKeys {
  /** Public; asks as role `anon`. */
  publishable: string
  /** Asks as role `service_role`, which may do everything. */
  secret: string
  /** Checks legacy keys: JWTs signed with HS256, whose claim `role` says who asks. */
  jwtSecret: string
}

/** Whose access token it is. Rejects with a `RestError` of status 401. */
export type CallerOfToken = (token: string) => Promise<Caller>

/**
 * Says who asks, by the header `apikey`, a bearer token, or both, as Supabase's clients send them. Each that is there must be
 * valid; the bearer token decides. A JWT is checked by one key and its one algorithm: a legacy key by the JWT secret (HS256), an access
 * token by the auth wire's keys (ES256), where there is an auth wire. A query parameter `apikey` is not looked at: addresses end up in logs.
 * The returned function rejects with a `RestError` of status 401.
 */
export function createKeyCheck(
  keys: BackendKeys,
  callerOfToken?: CallerOfToken,
): (headers: Headers) => Promise<Caller> {
  const jwtSecret = new TextEncoder().encode(keys.jwtSecret)

  const callerOf = async (key: string): Promise<Caller> => {
    if (isSameSecret(key, keys.publishable)) return { role: 'anon', claims: { role: 'anon' } }
    if (isSameSecret(key, keys.secret)) return { role: 'service_role', claims: { role: 'service_role' } }
    if (callerOfToken && isAccessToken(key)) return await callerOfToken(key)
    if (key.split('.').length === 3) return await callerOfJwt(key, jwtSecret)
    throw new RestError('PGRST301', {
      message: 'Invalid API key',
      hint: 'Double check your publishable or secret key: `heyline keys` prints them.',
    })
  }

  return async (headers) => {
    const key = headers.get('apikey')
    const token = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1]
    const caller = key ? await callerOf(key) : undefined
    if (token && token !== key) return await callerOf(token)
    if (caller) return caller
    if (token) return await callerOf(token)
    throw new RestError('PGRST302', {
      message: 'No API key found in request',
      hint: 'No `apikey` request header or bearer token was found.',
    })
  }
}
