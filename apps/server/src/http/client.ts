import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../settings/loopback.js'
import { socketAddress } from './socket-address.js'

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
    isLoopback(new URL(publicUrl).hostname) &&
    isLoopback(address) &&
    isLoopback(hostName(request.headers.host)) &&
    !forwarded
  return { address, local }
}

/** The name in a Host header, without its port; empty where there is none. */
export function hostName(host: string | undefined): string {
  const address = `http://${host}`
  return host && URL.canParse(address) ? new URL(address).hostname : ''
}
