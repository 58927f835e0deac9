import { sign, verify } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import type { SigningKeys } from './signing-keys.js'
import { TOKEN_LIFE_S } from './token-life.js'

/** What every token of ours is for. */
const AUDIENCE = 'authenticated'

/** Clocks differ: how far a token may be from its time, in seconds. */
const CLOCK_TOLERANCE_S = 30

/** Longest token that is looked at, in characters. */
const LONGEST = 100_000

/** A token that is not one of ours, or holds no more. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly code: 'malformed' | 'unknown_key' | 'bad_signature' | 'bad_claims' | 'expired'

  constructor(code: TokenError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const headerShape = z.object({ alg: z.literal('ES256'), kid: z.string(), crit: z.undefined().optional() })
const claimsShape = z.looseObject({
  iss: z.string(),
  sub: z.uuid(),
  aud: z.literal(AUDIENCE),
  role: z.literal('authenticated'),
  session_id: z.uuid(),
  exp: z.number(),
  iat: z.number(),
})

/** Claims of a token of ours. */
export type AccessClaims = JWTPayload & z.infer<typeof claimsShape>

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Signs access tokens and checks them (RFC 7519, ES256). The key decides on the algorithm, never the token: a token of any other
 * algorithm, of a key that is not ours, of another issuer or for somebody else is refused.
 */
export class AccessTokens {
  readonly #keys: SigningKeys
  readonly #issuer: string
  readonly #clock: Clock

  constructor({ keys, issuer, clock }: { keys: SigningKeys; issuer: string; clock: Clock }) {
    this.#keys = keys
    this.#issuer = issuer
    this.#clock = clock
  }

  /** A token with these claims that holds from now on for an hour. `expiresAt` is in seconds. */
  issue(claims: Record<string, unknown>): { token: string; expiresIn: number; expiresAt: number } {
    const { kid, privateKey } = this.#keys.signer()
    const iat = Math.floor(this.#clock.now() / 1000)
    const exp = iat + TOKEN_LIFE_S
    const payload = { ...claims, iss: this.#issuer, aud: AUDIENCE, iat, exp }
    const signed = `${encoded({ alg: 'ES256', kid, typ: 'JWT' })}.${encoded(payload)}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return { token: `${signed}.${signature.toString('base64url')}`, expiresIn: TOKEN_LIFE_S, expiresAt: exp }
  }

  /** The claims of a token of ours that holds. Rejects with a `TokenError`. */
  async verify(token: string): Promise<AccessClaims> {
    const [head = '', body = '', tail = '', ...more] = token.length > LONGEST ? [] : token.split('.')
    const header = headerShape.safeParse(decoded(head))
    if (!header.success || more.length > 0)
      throw new TokenError(
        'malformed',
        'it is no token of this server: a JWT signed with ES256 has to name its key',
      )
    const key = await this.#keys.verifier(header.data.kid)
    if (!key) throw new TokenError('unknown_key', 'no key of this server has signed it')
    const signature = Buffer.from(tail, 'base64url')
    const isOurs = verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key, dsaEncoding: 'ieee-p1363' },
      signature,
    )
    if (!isOurs) throw new TokenError('bad_signature', 'signature is invalid')
    return this.#held(decoded(body))
  }

  #held(payload: unknown): AccessClaims {
    const claims = claimsShape.safeParse(payload)
    if (!claims.success || claims.data.iss !== this.#issuer)
      throw new TokenError('bad_claims', 'token has invalid claims')
    const now = this.#clock.now() / 1000
    if (claims.data.exp + CLOCK_TOLERANCE_S < now) throw new TokenError('expired', 'token is expired')
    if (claims.data.iat - CLOCK_TOLERANCE_S > now)
      throw new TokenError('bad_claims', 'token used before issued')
    return claims.data
  }
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
