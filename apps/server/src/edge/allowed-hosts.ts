import { hostName } from '../http/client.js'
import { isLoopback, LOOPBACK_NAMES } from '../settings/loopback.js'

export interface AllowedHostsOptions {
  /** The address that the server listens on. */
  host: string
  publicUrl: string
}

/**
 * Whether a `Host` header names this server. A server that only this machine reaches answers to this machine's names and to `PUBLIC_URL`:
 * a page of a stranger could otherwise have its own name lead to 127.0.0.1 and read as if it were ours (DNS rebinding). The port may be
 * any, as a forwarded port (`ssh -L`) has another, and a rebound name is never ours. Where others reach the server, every name is taken.
 */
export function allowedHosts({
  host,
  publicUrl,
}: AllowedHostsOptions): (header: string | undefined) => boolean {
  if (!isLoopback(host)) return () => true
  const own = host.includes(':') ? `[${host}]` : host
  const names = new Set<string>([...LOOPBACK_NAMES, hostName(own), new URL(publicUrl).hostname])
  // A browser always sends one. A health check of HTTP/1.0 may not, and is told what it lacks.
  return (header) => header === undefined || names.has(hostName(header))
}
