/** Roles of a Supabase key that pass Row Level Security. */
const SECRET_ROLES: readonly unknown[] = ['service_role', 'supabase_admin']

/**
 * Why a key must not stand in a public page, as the end of a sentence; undefined for one that may. It knows Supabase's
 * secret keys, old (a JWT of `service_role`) and new (`sb_secret_…`), and a JWT of the voice platform's private scope.
 * Private keys without a form of their own can't be told.
 */
export function secretKeyReason(key: string): string | undefined {
  if (key.startsWith('sb_secret_')) return 'is a secret key (sb_secret_…)'
  const claims = claimsOf(key)
  if (SECRET_ROLES.includes(claims?.role)) return `is a secret key (a JWT of the role ${claims?.role})`
  const scope = claims?.token
  if (isRecord(scope) && scope.tag === 'private') return 'is a private key (a JWT of the private scope)'
  return undefined
}

/** What a JWT says, unchecked; undefined for what is no JWT. */
function claimsOf(key: string): Record<string, unknown> | undefined {
  const [, payload, signature] = key.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return isRecord(claims) ? claims : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
