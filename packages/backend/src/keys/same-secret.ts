import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares a key that somebody shows with ours, in a time that tells nothing about it. */
export function isSameSecret(shown: string, ours: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(shown), digest(ours))
}
