import { SettingError } from '@heyline/kit/setting-error'
import { addressRefusal, publicKeyRefusal } from '@heyline/page/secrets'
import type { Environment } from './environment.js'

/** Settings that the page contains. Everybody can read them there. */
const KEYS = ['SUPABASE_PUBLISHABLE_KEY', 'PLATFORM_PUBLIC_KEY', 'TURNSTILE_SITE_KEY'] as const
const ADDRESSES = ['SUPABASE_URL', 'CALL_WEBHOOK_URL', 'PLATFORM_URL', 'WEBSITE_URL', 'PRIVACY_URL'] as const

/** Throws a `SettingError` for a secret that stands where the page takes it from. It is not shown. */
export function refuseSecretsInThePage(values: Environment) {
  for (const PLATFORM_HOOK_SECRET of values.PLATFORM_HOOK_SECRET ?? [undefined]) {
    const secrets = { ...secretsOf(values), PLATFORM_HOOK_SECRET }
    for (const name of KEYS) refuse(name, values[name], (key) => publicKeyRefusal(key, secrets))
  }
  for (const name of ADDRESSES) refuse(name, values[name], addressRefusal)
}

function refuse(name: string, value: string | undefined, refusalOf: (value: string) => string | undefined) {
  const refusal = value && refusalOf(value)
  if (refusal) throw new SettingError(name, refusal)
}

const secretsOf = ({
  HEYLINE_SECRET,
  SUPABASE_SECRET_KEY,
  SUPABASE_JWT_SECRET,
  PLATFORM_PRIVATE_KEY,
  TURNSTILE_SECRET_KEY,
}: Environment) => ({
  HEYLINE_SECRET,
  SUPABASE_SECRET_KEY,
  SUPABASE_JWT_SECRET,
  PLATFORM_PRIVATE_KEY,
  TURNSTILE_SECRET_KEY,
})
