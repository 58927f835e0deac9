import type { Settings } from '../settings/settings.js'
import { originOf } from './key-ring.js'
import { KEY_NAMES, KEY_SETTINGS, type KeyRing } from './keys.js'

/** What each key opens. */
const MEANINGS: Record<keyof KeyRing, string> = {
  publishable: 'backend, publishable (in the page)',
  secret: 'backend, secret',
  jwtSecret: 'backend, signs legacy JWT keys',
  platformPublic: 'platform, public (in the page)',
  platformPrivate: 'platform, private',
  hookSecret: 'platform, checks its hooks',
}

/** The keys as they are shown to who may see them. */
export const shownKeys = (ring: KeyRing): { name: keyof KeyRing; meaning: string; key: string }[] =>
  KEY_NAMES.map((name) => ({ name, meaning: MEANINGS[name], key: ring[name] }))

/** Where a key is from: its own setting, `HEYLINE_SECRET`, or `keys.json`. */
export function shownOrigin(name: keyof KeyRing, given: Settings['keys']): string {
  const origin = originOf(name, given)
  return origin === 'environment' ? KEY_SETTINGS[name] : origin
}

/** The same of each key. */
export const shownOrigins = (given: Settings['keys']): Readonly<Record<string, string>> =>
  Object.fromEntries(KEY_NAMES.map((name) => [name, shownOrigin(name, given)]))
