/** What the policy of a page depends on; what is left out is not allowed. */
export interface PolicySources {
  /** The server's own address, where it serves rooms beside the page; `'self'` does not cover their sockets everywhere. */
  publicUrl?: string
  /** Addresses of hosted ends that the page calls: backend, webhook. */
  hosted?: readonly string[]
  /** Address of the hosted platform: its rooms are Daily's, or sockets of its own. */
  platform?: string
  /** True where the page's human check is Cloudflare Turnstile: its script, its frame and what they ask. */
  turnstile?: boolean
  /** Hashes (`'sha256-…'`) of inline styles. */
  styleHashes?: readonly string[]
}

const TURNSTILE = 'https://challenges.cloudflare.com'

/**
 * The content security policy of a page: its own origin, and of others only what is configured. It holds what a `<meta>`
 * may say; `frame-ancestors` counts in a header only.
 */
export function contentSecurityPolicy({
  publicUrl,
  hosted = [],
  platform,
  turnstile = false,
  styleHashes = [],
}: PolicySources): string {
  const daily = platform !== undefined
  const checked = turnstile ? [TURNSTILE] : []
  const connect = [
    ...(publicUrl ? [socketOrigin(publicUrl)] : []),
    ...hosted.map((url) => new URL(url).origin),
    ...(platform ? [new URL(platform).origin, socketOrigin(platform)] : []),
  ]
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(daily ? ['https://c.daily.co'] : []), ...checked],
    'style-src': ["'self'", ...styleHashes],
    'img-src': ["'self'"],
    'media-src': ["'self'", 'blob:'],
    'connect-src': [
      "'self'",
      ...new Set(connect),
      ...(daily ? ['https://*.daily.co', 'wss://*.daily.co'] : []),
      ...checked,
    ],
    ...(turnstile && { 'frame-src': checked }),
    'worker-src': ["'self'", ...(daily ? ['blob:'] : [])],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
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
