import type { KeyRing } from './key-ring.js'

/** What each key opens, in the order in which people read them. */
const MEANINGS: Record<keyof KeyRing, string> = {
  publishable: 'backend, publishable (in the page)',
  secret: 'backend, secret',
  jwtSecret: 'backend, signs legacy JWT keys',
  platformPublic: 'platform, public (in the page)',
  platformPrivate: 'platform, private',
  hookSecret: 'platform, checks its hooks',
}

/** The keys as they are shown to who may see them. */
export const shownKeys = (ring: KeyRing): { name: string; meaning: string; key: string }[] =>
  Object.entries(MEANINGS).map(([name, meaning]) => ({ name, meaning, key: ring[name as keyof KeyRing] }))
