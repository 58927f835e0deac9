import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SettingError } from '../settings/setting-error.js'

export interface Listening {
  server: Server
  port: number
  /** Stops taking connections, ends idle ones, and gives the others a moment. */
  close(): Promise<void>
}

/** Longest that running requests may take to end at a stop, in ms. */
const GRACE_MS = 2_000

/**
 * Takes the port before anything else is opened: a port in use is found at once, and with `PORT=0`
 * every room can be told the address. Until a request listener is added, requests wait.
 */
export function listen(port: number, host: string): Promise<Listening> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, port, host)))
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo
      resolve({ server, port: address.port, close: () => stop(server) })
    })
  })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function explained(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE')
    return new SettingError('PORT', `${port} is in use on ${host}: stop what uses it, or set another PORT`, {
      cause: error,
    })
  if (error.code === 'EACCES')
    return new SettingError('PORT', `${port} may not be used by this user: set one above 1023`, {
      cause: error,
    })
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new SettingError('HOST', `"${host}" is no address of this machine`, { cause: error })
  return error
}
