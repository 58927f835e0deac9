import { type BinaryLike, createHash, createHmac } from 'node:crypto'
import { isSameSecret } from '@heyline/kit/secret'

/** How Nango signs what it tells, best first: later ones count only where those before are missing. */
const SIGNATURES: readonly (readonly [header: string, sign: (key: string, body: BinaryLike) => string])[] = [
  ['x-nango-hmac-sha256', (key, body) => createHmac('sha256', key).update(body).digest('hex')],
  // Whoever has one such body can sign a longer one, but what then stands behind the first is no JSON.
  ['x-nango-signature', (key, body) => createHash('sha256').update(key).update(body).digest('hex')],
]
const DIGEST = /^[\da-f]{64}$/

/**
 * The check of a body that these headers belong to, in constant time; undefined where they have no signature
 * (https://nango.dev/docs/guides/platform/webhooks-from-nango).
 */
export function nangoSignature(headers: Headers): ((key: string, body: BinaryLike) => boolean) | undefined {
  for (const [header, sign] of SIGNATURES) {
    const shown = headers.get(header)
    if (shown === null) continue
    return DIGEST.test(shown) ? (key, body) => isSameSecret(shown, sign(key, body)) : undefined
  }
  return undefined
}
