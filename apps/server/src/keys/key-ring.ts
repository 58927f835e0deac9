import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { derivedKey } from '@heyline/kit/secret'
import { SettingError } from '@heyline/kit/setting-error'
import { z } from 'zod'
import type { Settings } from '../settings/settings.js'

/** Signs the human check's challenges. It is derived from the secret key: servers with the same secret key have it in common, and no file keeps it. */
export const humanCheckKey = ({ secret }: Pick<KeyRing, 'secret'>): string =>
  Buffer.from(derivedKey(secret, 'heyline human check')).toString('base64url')

/** What the auth wire seals with, 32 bytes: derived like the key above, for the same reasons. */
export const authKey = ({ secret }: Pick<KeyRing, 'secret'>): Uint8Array => derivedKey(secret, 'heyline auth')

/** What seals the tokens of the console's sessions, 32 bytes: derived like the keys above, from the secret key of the accounts. */
export const sessionsKey = (secret: string): Uint8Array => derivedKey(secret, 'heyline console sessions')

/** What seals the secrets of endpoints, 32 bytes: derived like the keys above. */
export const endpointsKey = ({ secret }: Pick<KeyRing, 'secret'>): Uint8Array =>
  derivedKey(secret, 'heyline endpoints')

/** The keys of the built-in ends: from the environment where given, else generated once. */
export interface KeyRing {
  /** Opens the REST wire as `anon`; inlined in the page. */
  publishable: string
  /** Opens the REST wire as `service_role`, and `/-/office`. */
  secret: string
  /** Signs and checks legacy JWT keys. */
  jwtSecret: string
  /** Starts web calls; inlined in the page. */
  platformPublic: string
  /** Does everything on the voice platform. */
  platformPrivate: string
  /** Proves that a message at `/-/hooks/platform` is the platform's. */
  hookSecret: string
}

const GENERATORS: Record<keyof KeyRing, () => string> = {
  publishable: () => `sb_publishable_${randomBytes(24).toString('base64url')}`,
  secret: () => `sb_secret_${randomBytes(24).toString('base64url')}`,
  jwtSecret: () => randomBytes(32).toString('base64url'),
  platformPublic: () => randomUUID(),
  platformPrivate: () => randomUUID(),
  hookSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
}

const NAMES = Object.keys(GENERATORS) as (keyof KeyRing)[]
const stored = z.partialRecord(z.enum(NAMES as [keyof KeyRing, ...(keyof KeyRing)[]]), z.string().min(16))

/**
 * Reads `keys.json` of the data directory (0600), adds what is missing, and lays the environment's keys on top. Throws a `SettingError` for
 * a public key that is a secret one, and where the file can't be read or is not ours: replacing keys that are in use would lock people out.
 */
export function openKeyRing(directory: string, given: Settings['keys']): KeyRing {
  const file = join(directory, 'keys.json')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const kept = readKept(file)
  const missing = NAMES.filter((name) => kept[name] === undefined)
  const keys = {
    ...kept,
    ...Object.fromEntries(missing.map((name) => [name, GENERATORS[name]()])),
  } as KeyRing
  if (missing.length > 0) writeDurably(file, `${JSON.stringify(keys, null, 2)}\n`)
  const { phone: _, ...environment } = given
  const ring = {
    ...keys,
    ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
  }
  refuseSecretsInThePage(ring)
  return ring
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

function readKept(file: string): Partial<KeyRing> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new Error(`${file} can't be read: make it readable for this user`, { cause: error })
  }
  try {
    return stored.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`${file} is not a file of keys: restore it, or move it away to have new keys made`, {
      cause: error,
    })
  }
}

function writeDurably(file: string, text: string) {
  const draft = `${file}.${process.pid}`
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
}
