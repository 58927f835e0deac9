import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, fit for a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** SHA-256 in hex: all that is stored of a secret. A random secret of 256 bits needs no salt. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Compares in constant time, whatever the lengths. */
export const isSameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(a), 'hex'), Buffer.from(hashOf(b), 'hex'))
