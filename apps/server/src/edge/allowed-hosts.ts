import { isLoopback } from '@heyline/kit/loopback'
import { hostName } from '../http/client.js'
import { LOOPBACK_NAMES } from '../settings/loopback.js'

export interface AllowedHostsOptions {
  /** The address that the server listens on. */
  host: string
  publicUrl: string
}

/**
 * Whether a `Host` header names this server. A server that only this machine reaches answers to this machine's names and to `PUBLIC_URL`:
 * a stranger's page could otherwise point its own name at 127.0.0.1 and read as if it were ours (DNS rebinding). Any port is allowed: a
 * forwarded port (`ssh -L`) differs from ours, and a rebound name is never ours. If others can reach the server, every name is allowed.
 */
export function allowedHosts({
  host,
  publicUrl,
}: AllowedHostsOptions): (header: string | undefined) => boolean {
  if (!isLoopback(host)) return () => true
  const own = host.includes(':') ? `[${host}]` : host
  const names = new Set<string>([...LOOPBACK_NAMES, hostName(own), new URL(publicUrl).hostname])
  // A browser always sends one. An HTTP/1.0 health check may not, and is told what is missing.
  return (header) => header === undefined || names.has(hostName(header))
}
