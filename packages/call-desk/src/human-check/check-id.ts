import { createHash } from 'node:crypto'

/** By what a check is counted as used: a digest of that of it which can be written in one way only. */
export function checkId(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
