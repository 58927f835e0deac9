import { hkdfSync } from 'node:crypto'
import type { KeyRing } from './key-ring.js'

/** Signs the human check's challenges. Derived from the secret key, so that servers that share that share this, and nobody keeps one more. */
export const humanCheckKey = ({ secret }: Pick<KeyRing, 'secret'>): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'heyline human check', 32)).toString('base64url')
