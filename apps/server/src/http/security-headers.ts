/** What the content security policy depends on. */
export interface PolicySources {
  publicUrl: string
  /** Origins of hosted ends that the page calls: backend, webhook, platform. */
  connect: readonly string[]
  /** The hosted platform opens Daily rooms. */
  daily: boolean
  /** Hashes (`'sha256-…'`) of inline styles. */
  styleHashes: readonly string[]
}

/** The page's content security policy: our own origin, and of others only what is configured. */
export function contentSecurityPolicy({ publicUrl, connect, daily, styleHashes }: PolicySources): string {
  const { protocol, host } = new URL(publicUrl)
  const rooms = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(daily ? ['https://c.daily.co'] : [])],
    'style-src': ["'self'", ...styleHashes],
    'img-src': ["'self'"],
    'media-src': ["'self'", 'blob:'],
    'connect-src': [
      "'self'",
      rooms,
      ...new Set(connect),
      ...(daily ? ['https://*.daily.co', 'wss://*.daily.co'] : []),
    ],
    'worker-src': ["'self'", ...(daily ? ['blob:'] : [])],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}

/** Headers of every page. The microphone is the page's own; nothing else is asked for. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const
