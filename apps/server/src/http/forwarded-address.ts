import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { socketAddress } from './socket-address.js'

/**
 * The address of the client behind so many proxies of ours: that many from the right of `X-Forwarded-For`, where each of them has written
 * down who asked it. What stands further left came from outside, and can be made up. Without a proxy the header counts nothing.
 */
export function forwardedAddress(request: IncomingMessage, proxies: number): string | undefined {
  const told = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const written = told.map((text) => text.trim()).filter((text) => text !== '')
  const socket = addressIn(socketAddress(request.socket) ?? '')
  if (proxies === 0 || written.length === 0) return socket
  // A client that came past the outer proxies: the last one of ours that it met has still told the truth.
  const client = written[Math.max(0, written.length - proxies)] ?? ''
  // A proxy that hides its clients: they share what it is limited to.
  return addressIn(client) ?? socket
}

/** The IP address in what a proxy or a socket calls one: without port, brackets, zone, and IPv4 as itself. */
function addressIn(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) ? address : undefined
}
