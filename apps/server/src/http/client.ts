import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { isLoopback } from '@heyline/kit/loopback'
import { isPublicUrl } from '../settings/loopback.js'

const addresses = new WeakMap<Socket, string>()

/**
 * Keeps the address of the other side; call it when the connection begins. A socket that was reset no longer has an address, but a request
 * that came before may still be answered.
 */
export function keepAddress(socket: Socket) {
  if (socket.remoteAddress !== undefined) addresses.set(socket, socket.remoteAddress)
}

/** The address of the other side, also after its end. Undefined if the connection ended before it was accepted. */
export function socketAddress(socket: Socket): string | undefined {
  return addresses.get(socket) ?? socket.remoteAddress
}

/** Longest that a proxy writes of whoever asked it, in characters. What a client has written before that is not looked at. */
const LONGEST_TOLD = 100

/**
 * The address of the client behind so many proxies of ours: that many from the right of `X-Forwarded-For`, where each of them has written
 * down who asked it. What stands further left came from outside, and can be made up. Without a proxy the header is ignored.
 */
export function forwardedAddress(request: IncomingMessage, proxies: number): string | undefined {
  const socket = addressIn(socketAddress(request.socket) ?? '')
  if (proxies === 0) return socket
  const told = [request.headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .slice(-LONGEST_TOLD * proxies)
    .split(',')
  const written = told.map((text) => text.trim()).filter((text) => text !== '')
  if (written.length === 0) return socket
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

/** What is known of the other side of a request, before any proxy's word is taken. */
export interface Client {
  /** The address of the socket. */
  address: string
  /** True for a browser on this machine that opened this machine by name: not through a proxy, not through a foreign name. */
  local: boolean
}

/** Reads the client of a request. `publicUrl` tells whether this server is meant for this machine only. */
export function clientOf(request: IncomingMessage, publicUrl: string): Client {
  const address = socketAddress(request.socket) ?? ''
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
    (name) => name in request.headers,
  )
  const local =
    !isPublicUrl(publicUrl) && isLoopback(address) && isLoopback(hostName(request.headers.host)) && !forwarded
  return { address, local }
}

/** The name in a Host header, without its port; empty where there is none. */
export function hostName(host: string | undefined): string {
  const address = `http://${host}`
  return host && URL.canParse(address) ? new URL(address).hostname : ''
}
