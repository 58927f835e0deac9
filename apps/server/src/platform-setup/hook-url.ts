import { isLoopback } from '../settings/loopback.js'

/** Where a hosted platform posts its messages to us; undefined where it could not reach us. */
export function hookUrlOf(publicUrl: string | undefined): string | undefined {
  if (!publicUrl) return undefined
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' && !isLoopback(hostname) ? `${publicUrl}/-/hooks/platform` : undefined
}
