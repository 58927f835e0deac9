import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares a secret that somebody shows with ours, in a time that tells nothing about it. */
export function isSameSecret(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
