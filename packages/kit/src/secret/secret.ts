import { type BinaryLike, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, fit for a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** SHA-256 in hex: all that is stored of a secret. A random secret of 256 bits needs no salt. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** A key of 32 bytes for one purpose (HKDF-SHA-256): it tells nothing of the secret, nor of the keys for other purposes. */
export const derivedKey = (secret: BinaryLike, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))

/** Compares in constant time. Digests have one length, so the time tells nothing of either text, nor of its length. */
export const isSameSecret = (shown: string, ours: string): boolean => isAnySecret([shown], [ours])

/** Whether one of these texts is one of ours, each hashed once. All are compared, so the time does not tell which. */
export function isAnySecret(shown: readonly string[], ours: readonly string[]): boolean {
  const own = ours.map(digestOf)
  const same = shown.map(digestOf).flatMap((one) => own.map((other) => timingSafeEqual(one, other)))
  return same.includes(true)
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
