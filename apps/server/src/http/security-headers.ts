/** What the content security policy depends on; what is left out is not allowed. */
export interface PolicySources {
  publicUrl: string
  /** Addresses of hosted ends that the page calls: backend, webhook. */
  hosted?: readonly string[]
  /** Address of the hosted platform: its rooms are Daily's, or sockets of its own. */
  platform?: string
  /** Hashes (`'sha256-…'`) of inline styles. */
  styleHashes?: readonly string[]
}

/** The content security policy of a page: our own origin, and of others only what is configured. */
export function contentSecurityPolicy({
  publicUrl,
  hosted = [],
  platform,
  styleHashes = [],
}: PolicySources): string {
  const daily = platform !== undefined
  const platformOrigins = platform ? [new URL(platform).origin, socketOrigin(platform)] : []
  const connect = [socketOrigin(publicUrl), ...hosted.map((url) => new URL(url).origin), ...platformOrigins]
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(daily ? ['https://c.daily.co'] : [])],
    'style-src': ["'self'", ...styleHashes],
    'img-src': ["'self'"],
    'media-src': ["'self'", 'blob:'],
    'connect-src': [
      "'self'",
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

/** A policy that allows https:// does not allow wss:// of the same host: rooms are named by themselves. */
function socketOrigin(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`
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
