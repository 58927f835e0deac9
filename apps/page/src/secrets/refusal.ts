import { secretKeyReason } from './secret-key.js'

/** Secrets that may stand in the same environment, and must not come into the page under a public name. */
const SECRETS = [
  'HEYLINE_SECRET',
  'SUPABASE_SECRET_KEY',
  'SUPABASE_JWT_SECRET',
  'PLATFORM_PRIVATE_KEY',
  'PLATFORM_HOOK_SECRET',
  'TURNSTILE_SECRET_KEY',
]

/**
 * Why a key of the environment may not come into a page, which everybody can read, and what to do, as the rest of a line
 * after the setting's name; undefined for one that may. The key itself is not shown.
 */
export function publicKeyRefusal(
  key: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const twin = SECRETS.find((secret) => env[secret] === key)
  const reason = twin === undefined ? secretKeyReason(key) : `is the same as ${twin}`
  return reason && `the value ${reason}, and everybody can read a page: give the public key`
}

/** As for a key: an http(s) address that holds a user name or password. */
export function addressRefusal(address: string): string | undefined {
  const { username, password } = new URL(address)
  if (!username && !password) return undefined
  return 'holds a user name or password, which everybody could read: leave them out'
}
