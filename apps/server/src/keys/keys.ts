/** The keys of the built-in ends: from the environment where given, else derived from `HEYLINE_SECRET`, else generated once. */
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

/** Where a key is from. */
export type KeyOrigin = 'environment' | 'HEYLINE_SECRET' | 'keys.json'

/** The setting that gives each key. */
export const KEY_SETTINGS: Readonly<Record<keyof KeyRing, string>> = {
  publishable: 'SUPABASE_PUBLISHABLE_KEY',
  secret: 'SUPABASE_SECRET_KEY',
  jwtSecret: 'SUPABASE_JWT_SECRET',
  platformPublic: 'PLATFORM_PUBLIC_KEY',
  platformPrivate: 'PLATFORM_PRIVATE_KEY',
  hookSecret: 'PLATFORM_HOOK_SECRET',
}

/** In the order in which people read them. */
export const KEY_NAMES = Object.keys(KEY_SETTINGS) as readonly (keyof KeyRing)[]
