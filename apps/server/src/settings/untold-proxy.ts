import { isLoopback } from '@heyline/kit/loopback'
import { isPublicUrl } from './loopback.js'
import type { Settings } from './settings.js'

/**
 * Whether a proxy or a tunnel must stand in front, and nobody has said how many: the public address is https, which this server does not
 * speak, or names another machine than the one that the server listens to.
 */
export function isProxyUntold({
  publicUrl,
  host,
  trustProxy,
}: Pick<Settings, 'publicUrl' | 'host' | 'trustProxy'>): boolean {
  if (trustProxy !== undefined || !isPublicUrl(publicUrl)) return false
  return new URL(publicUrl).protocol === 'https:' || isLoopback(host)
}

/** What follows from it, for people. */
export const PROXY_UNTOLD =
  'all visitors seem to have the address of the proxy in front, and share its limits'
