import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { SettingError } from '@heyline/kit/setting-error'
import type { Settings } from '../settings/settings.js'
import { keyOfRoot } from './derived-keys.js'
import { keyFile, keysLeft, readKeyFile, writeKeyFile } from './key-file.js'
import { KEY_NAMES, type KeyOrigin, type KeyRing } from './keys.js'

export type { KeyRing } from './keys.js'

const GENERATORS: Record<keyof KeyRing, () => string> = {
  publishable: () => `sb_publishable_${randomBytes(24).toString('base64url')}`,
  secret: () => `sb_secret_${randomBytes(24).toString('base64url')}`,
  jwtSecret: () => randomBytes(32).toString('base64url'),
  platformPublic: () => randomUUID(),
  platformPrivate: () => randomUUID(),
  hookSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
}

/** A ring of what `keyOf` says of each key. */
function ringOf(keyOf: (name: keyof KeyRing) => string): KeyRing {
  return {
    publishable: keyOf('publishable'),
    secret: keyOf('secret'),
    jwtSecret: keyOf('jwtSecret'),
    platformPublic: keyOf('platformPublic'),
    platformPrivate: keyOf('platformPrivate'),
    hookSecret: keyOf('hookSecret'),
  }
}

/**
 * The keys of this installation. Without `HEYLINE_SECRET` it reads `keys.json` of the data directory (0600), and adds what is missing. Throws
 * a `SettingError` for a public key that is a secret one, and an error where the file can't be read or is not ours.
 */
export function openKeyRing(directory: string, given: Settings['keys']): KeyRing {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const { root } = given
  const own = root === undefined ? keptKeys(directory) : ringOf((name) => keyOfRoot(root, name))
  const ring = ringOf((name) => given[name] ?? own[name])
  refuseSecretsInThePage(ring)
  return ring
}

/** Where the key of this name is from, with these settings. */
export function originOf(name: keyof KeyRing, given: Settings['keys']): KeyOrigin {
  if (given[name] !== undefined) return 'environment'
  return given.root === undefined ? 'keys.json' : 'HEYLINE_SECRET'
}

/** A key as far as it is known before a start, which would make what is missing. Reads only. */
export function knownKey(
  directory: string,
  given: Settings['keys'],
  name: keyof KeyRing,
): string | undefined {
  if (given[name] !== undefined) return given[name]
  return given.root === undefined ? keysLeft(directory)[name] : keyOfRoot(given.root, name)
}

/** All of them, where none is missing. Reads only. */
export function knownKeys(directory: string, given: Settings['keys']): KeyRing | undefined {
  const names = KEY_NAMES.filter((name) => knownKey(directory, given, name) === undefined)
  return names.length > 0 ? undefined : ringOf((name) => knownKey(directory, given, name) ?? '')
}

function keptKeys(directory: string): KeyRing {
  const file = keyFile(directory)
  const kept = readKeyFile(file)
  const keys = ringOf((name) => kept[name] ?? GENERATORS[name]())
  if (KEY_NAMES.every((name) => kept[name] !== undefined)) return keys
  // Of two servers that start at once in a new directory, the second takes the keys of the first.
  return writeKeyFile(file, keys, Object.keys(kept).length === 0) ? keys : keptKeys(directory)
}

/** The page holds the public ones. What the environment says was checked there; a secret of the file is known only here. */
function refuseSecretsInThePage(ring: KeyRing) {
  const secrets = [ring.secret, ring.jwtSecret, ring.platformPrivate, ring.hookSecret]
  for (const [name, key] of [
    ['SUPABASE_PUBLISHABLE_KEY', ring.publishable],
    ['PLATFORM_PUBLIC_KEY', ring.platformPublic],
  ] as const)
    if (secrets.includes(key))
      throw new SettingError(
        name,
        'the value is one of the secret keys (see heyline keys), and everybody can read a page: give the public key',
      )
}
