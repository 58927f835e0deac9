/** What the policy of a page depends on; what is left out is not allowed. */
export interface PolicySources {
  /** The server's own address, where it serves rooms beside the page; `'self'` does not cover their sockets everywhere. */
  publicUrl?: string
  /** Addresses of hosted ends that the page calls: backend, webhook. */
  hosted?: readonly string[]
  /** Address of the hosted platform: its rooms are Daily's, or sockets of its own. Those of another Heyline are sockets only. */
  platform?: string
  /** True where the page's human check is Cloudflare Turnstile: its script, its frame and what they ask. */
  turnstile?: boolean
  /** True where the page draws pictures by itself, as QR codes in `data:`. */
  dataImages?: boolean
  /** True where the page can be installed: it has a manifest. */
  manifest?: boolean
  /** Hashes (`'sha256-…'`) of inline styles. */
  styleHashes?: readonly string[]
}

const TURNSTILE = 'https://challenges.cloudflare.com'

/**
 * What a room of Daily's needs, by its guide "Setting up your Content Security Policy for daily-js" (custom call object): the code of
 * the room; its audio processing, which is WebAssembly, with the worklets and workers that it makes; and the hosts of signalling
 * and media. It runs without `eval`.
 */
const DAILY = {
  script: ['https://c.daily.co', 'blob:', "'wasm-unsafe-eval'"],
  connect: ['https://*.daily.co', 'wss://*.daily.co', 'https://*.pluot.blue', 'wss://*.pluot.blue'],
  worker: ['blob:'],
}
const NONE = { script: [], connect: [], worker: [] }

/** Whether a hosted platform's rooms may be Daily's, which also record video. The rooms of a Heyline are sockets, without a camera. */
export const mayUseDaily = (platform: string): boolean =>
  !/\/-\/platform\/*$/.test(new URL(platform).pathname)

/**
 * The content security policy of a page: its own origin, and of others only what is configured. It holds what a `<meta>`
 * may say; `frame-ancestors` counts in a header only.
 */
export function contentSecurityPolicy({
  publicUrl,
  hosted = [],
  platform,
  turnstile = false,
  dataImages = false,
  manifest = false,
  styleHashes = [],
}: PolicySources): string {
  const daily = platform !== undefined && mayUseDaily(platform) ? DAILY : NONE
  const checked = turnstile ? [TURNSTILE] : []
  const connect = [
    ...(publicUrl ? [socketOrigin(publicUrl)] : []),
    ...hosted.map((url) => new URL(url).origin),
    ...(platform ? [new URL(platform).origin, socketOrigin(platform)] : []),
  ]
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...daily.script, ...checked],
    'style-src': ["'self'", ...styleHashes],
    'img-src': ["'self'", ...(dataImages ? ['data:'] : [])],
    'media-src': ["'self'", 'blob:'],
    'connect-src': ["'self'", ...new Set(connect), ...daily.connect, ...checked],
    ...(turnstile && { 'frame-src': checked }),
    ...(manifest && { 'manifest-src': ["'self'"] }),
    'worker-src': ["'self'", ...daily.worker],
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
