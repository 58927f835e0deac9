import { type Clock, systemClock } from '@heyline/kit/clock'
import { hasCome } from '@heyline/kit/stored-time'
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { z } from 'zod'
import { OperatorsError } from '../operators/operators-error.js'

export interface AccessTokensOptions {
  /** The auth wire, whose `/.well-known/jwks.json` has the keys. */
  url: string
  /** Who may have issued a token. */
  issuers: readonly string[]
  fetch?: typeof fetch
  /** Tokens may be signed with a secret that only the project has, as older projects do. */
  hasSharedSecret?: boolean
  clock?: Pick<Clock, 'now'>
}

const claims = z.object({
  sub: z.uuid(),
  exp: z.number(),
  iat: z.number().optional(),
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  aal: z.string().optional(),
  /** How the session was proven, and when in seconds. */
  amr: z
    .array(z.object({ method: z.string(), timestamp: z.number() }))
    .catch([])
    .default([]),
})

/** What we read in an access token. */
export interface AccessClaims {
  userId: string
  /** `aal2` after a second factor. */
  aal: string | undefined
  /** When the second factor was entered last, or where the session has none, the password; in ms. 0 where nobody says. */
  enteredAt: number
}

/** The methods of `amr` that are second factors, as projects of all ages name them. */
const FACTOR_METHODS = /^(mfa\/.+|totp|phone|webauthn)$/

const AUDIENCE = 'authenticated'
const ALGORITHMS = ['ES256', 'RS256']
/** Clocks differ: how far a token may be from its time, in seconds. */
const CLOCK_TOLERANCE = 30
/** How long keys are used, and how soon they are asked for again after a key that is not among them, in ms. */
const KEYS_GOOD_MS = 10 * 60_000
const KEYS_AGAIN_MS = 5_000
const PATIENCE_MS = 5_000
/** Longest token that is looked at, in characters. */
const TOKEN_MOST = 8_000

/**
 * Reads access tokens. Those that are signed with one of the project's keys are verified here. Older projects sign with
 * a secret that only they have: such tokens (HS256) are read, and the session check asks the project whether they are true.
 */
export class AccessTokens {
  readonly #keys: JWTVerifyGetKey
  readonly #issuers: string[]
  readonly #hasSharedSecret: boolean
  readonly #clock: Pick<Clock, 'now'>

  constructor({
    url,
    issuers,
    fetch: reach = fetch,
    hasSharedSecret = true,
    clock = systemClock,
  }: AccessTokensOptions) {
    this.#hasSharedSecret = hasSharedSecret
    this.#clock = clock
    this.#issuers = [...issuers]
    const asked: FetchImplementation = (address, init) => reach(address, init)
    this.#keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`), {
      [customFetch]: asked,
      cacheMaxAge: KEYS_GOOD_MS,
      cooldownDuration: KEYS_AGAIN_MS,
      timeoutDuration: PATIENCE_MS,
    })
  }

  /** Rejects with an `OperatorsError`: `unauthorized`, or `accounts_unreachable` where the keys can't be had. */
  async read(token: string): Promise<AccessClaims> {
    if (token.length > TOKEN_MOST) throw refused()
    const { alg } = this.#decoded(() => decodeProtectedHeader(token))
    const payload =
      alg === 'HS256' && this.#hasSharedSecret
        ? this.#decoded(() => decodeJwt(token))
        : await this.#verified(token)
    const parsed = claims.safeParse(payload)
    if (!parsed.success) throw refused()
    const { sub, exp, iat = 0, iss, aud, aal, amr } = parsed.data
    const isOurs = this.#issuers.includes(iss) && [aud].flat().includes(AUDIENCE)
    const now = this.#clock.now() / 1000
    // What a clock that ran ahead has signed would be good for as long as it ran ahead.
    if (!isOurs || exp + CLOCK_TOLERANCE < now || iat - CLOCK_TOLERANCE > now) throw refused()
    const counted = amr.filter(
      ({ method, timestamp }) =>
        (aal === 'aal2' ? FACTOR_METHODS.test(method) : method === 'password') &&
        hasCome(timestamp * 1000, now * 1000),
    )
    const enteredAt = Math.max(0, ...counted.map(({ timestamp }) => timestamp * 1000))
    return { userId: sub, aal, enteredAt }
  }

  #decoded<Part>(decode: () => Part): Part {
    try {
      return decode()
    } catch (cause) {
      throw refused(cause)
    }
  }

  async #verified(token: string): Promise<JWTPayload> {
    const options = {
      algorithms: ALGORITHMS,
      issuer: this.#issuers,
      audience: AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE,
      currentDate: new Date(this.#clock.now()),
    }
    try {
      return (await jwtVerify(token, this.#keys, options)).payload
    } catch (cause) {
      if (isUnreachable(cause))
        throw new OperatorsError('accounts_unreachable', "The accounts can't be reached: try again", {
          cause,
        })
      throw refused(cause)
    }
  }
}

/** No set of keys came. jose says so in its most general class, by the time that passed, or as `fetch` does. */
const isUnreachable = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.constructor === errors.JOSEError

const refused = (cause?: unknown) =>
  new OperatorsError('unauthorized', 'This access token is not good: sign in again', { cause })
