import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SettingError } from '@heyline/kit/setting-error'
import { keepAddress } from './client.js'
import { LastAnswer } from './last-answer.js'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface Listening {
  server: Server
  port: number
  /** Answers requests from now on, those first that came before. */
  serve(handler: RequestHandler): void
  /** Takes no more connections; what is connected goes on. */
  stopTaking(): void
  /** Ends idle connections, gives running requests a moment, and cuts what is left. Idempotent. */
  close(): Promise<void>
}

/** Longest that running requests may take to end at a stop, in ms. */
const GRACE_MS = 2_000
/** How long a client may take for the head of its request, or to upgrade, in ms. Then it hears 408. */
const HEAD_MS = 10_000
/** Longest that Node waits for a whole request, in ms: longer than the edge, which judges who may take how long (`SlowBodies`). */
const REQUEST_MS = 11 * 60_000
/** After how much silence the system asks whether the other machine is still there, in ms. */
const KEEP_ALIVE_MS = 60_000

export interface ListenOptions {
  /** How long a client may take for the head of its request, in ms. */
  headMs?: number
  /** How long a connection stays open without a request, in ms. */
  idleMs?: number
}

/**
 * Takes the port before anything else is opened: a port in use is found at once, and with `PORT=0`
 * every part of the server can be told the address. Requests wait until `serve`.
 */
export function listen(
  port: number,
  host: string,
  { headMs = HEAD_MS, idleMs }: ListenOptions = {},
): Promise<Listening> {
  const server: Server = createServer({
    ServerResponse: LastAnswer,
    headersTimeout: headMs,
    requestTimeout: REQUEST_MS,
    ...(idleMs !== undefined && { keepAliveTimeout: idleMs }),
    connectionsCheckingInterval: headMs / 2,
    // The edge asks for it: what Node refuses by itself, nobody counts.
    requireHostHeader: false,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    keepAddress(socket)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  let open: (handler: RequestHandler) => void = () => {}
  const ready = new Promise<RequestHandler>((resolve) => {
    open = resolve
  })
  server.on('request', (request, response) => void ready.then((handler) => handler(request, response)))
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  const stopTaking = () => {
    if (server.listening) server.close()
  }
  const close = async () => {
    stopTaking()
    server.closeIdleConnections()
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, GRACE_MS)
    await closed
    clearTimeout(timer)
  }
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, port, host)))
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo
      resolve({ server, port: address.port, serve: open, stopTaking, close })
    })
  })
}

function explained(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const cause = { cause: error }
  if (error.code === 'EADDRINUSE')
    return new SettingError(
      'PORT',
      `${port} is in use on ${host}: stop what uses it, or set another PORT`,
      cause,
    )
  if (error.code === 'EACCES')
    return new SettingError('PORT', `${port} may not be used by this user: set one above 1023`, cause)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new SettingError('HOST', `"${host}" is no address of this machine`, cause)
  return error
}
