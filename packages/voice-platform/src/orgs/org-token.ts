import { createHmac } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import { derivedKey, isSameSecret } from '@heyline/kit/secret'
import type { OrgAuth } from '@heyline/platform-client'
import { z } from 'zod'

/** How long one is good, in seconds. */
const GOOD_SECONDS = 600
/** Longest that is looked at, in characters. */
const LONGEST = 1_000
const payload = z.object({ exp: z.number() })

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Tokens of the organisation: JWTs that are good for ten minutes in place of the public key, and for nothing more. */
export class OrgTokens {
  readonly #key: Uint8Array
  readonly #clock: Pick<Clock, 'now'>

  constructor(privateKey: string, clock: Pick<Clock, 'now'>) {
    this.#key = derivedKey(privateKey, 'voice platform organisation token')
    this.#clock = clock
  }

  make(orgId: string): OrgAuth {
    const iat = Math.floor(this.#clock.now() / 1000)
    const aud = { orgId, token: { tag: 'public' } }
    const said = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ ...aud, iat, exp: iat + GOOD_SECONDS })}`
    return { accessToken: `${said}.${this.#signatureOf(said)}`, aud }
  }

  isGood(token: string): boolean {
    const end = token.lastIndexOf('.')
    if (token.length > LONGEST || end === -1) return false
    const said = token.slice(0, end)
    if (!isSameSecret(token.slice(end + 1), this.#signatureOf(said))) return false
    const [, claims = ''] = said.split('.')
    const { exp } = payload.parse(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')))
    return this.#clock.now() < exp * 1000
  }

  #signatureOf(said: string): string {
    return createHmac('sha256', this.#key).update(said).digest('base64url')
  }
}
