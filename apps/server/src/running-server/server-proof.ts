import { createHmac, randomBytes } from 'node:crypto'
import { isSameSecret, newSecret } from '@heyline/kit/secret'

/** Longest nonce that is answered, in characters. */
const NONCE_LIMIT = 100

/** Made at each start of a server, and stored only in its file of the data directory. Only that server and its owner know it. */
export const newProofKey = newSecret

export const newNonce = (): string => randomBytes(24).toString('base64url')

/** What only the holder of the key can say of a nonce, as base64url; undefined for a nonce that is too long. */
export function proofOf(key: string, nonce: string): string | undefined {
  if (nonce.length > NONCE_LIMIT) return undefined
  return createHmac('sha256', key).update(nonce).digest('base64url')
}

export function isProof(proof: unknown, key: string, nonce: string): boolean {
  const right = proofOf(key, nonce)
  return right !== undefined && typeof proof === 'string' && isSameSecret(proof, right)
}
