import type { IncomingMessage } from 'node:http'
import { ROOM_PROTOCOL } from '@heyline/room-protocol'
import { WebSocket } from 'ws'
import { type Finding, fail, ok } from '../doctor/finding.js'
import { reasonOf } from './mirror-client.js'
import { proxyAdvice } from './proxies.js'

/** Longest that the upgrade may take, and then the server's goodbye, in ms. */
const PATIENCE_MS = 8_000

/** What became of an upgrade. */
export type Opened =
  | { as: 'socket'; closedWith: number }
  /** It opened, and nothing came through. */
  | { as: 'silent' }
  /** It was answered as a request. */
  | { as: 'request'; status: number; headers: Headers }
  | { as: 'nothing'; reason: string }

export interface SocketAsk {
  /** `wss://…` or `ws://…`. */
  url: string
  protocols?: string[]
  headers?: Record<string, string>
  /** Whether to say goodbye once it is open; otherwise the server does. */
  leaves?: boolean
}

export interface SocketUse {
  /** Of the finding. */
  check: string
  /** What does not work without it. */
  without: string
}

/** Whether the WebSocket of a room reaches the server through what stands in front, as a page opens it, and frames come back. */
export async function checkRooms({ origin }: URL): Promise<Finding> {
  // No call has this id: the server says so, and closes.
  const url = `${origin.replace(/^http/, 'ws')}/-/rooms/doctor`
  const opened = await openSocket({ url, protocols: [ROOM_PROTOCOL], headers: { origin } })
  return socketFinding(opened, url, { check: 'WebSocket', without: 'no call in the browser works' })
}

/** What follows from what became of an upgrade. */
export function socketFinding(opened: Opened, url: string, { check, without }: SocketUse): Finding {
  const address = new URL(url).origin
  switch (opened.as) {
    case 'socket':
      return ok(check, `WebSockets reach the server through ${address}`)
    case 'silent':
      return fail(
        check,
        `a WebSocket opens at ${address}, and nothing comes through: ${without}`,
        'let the proxy pass WebSockets on to this server without holding their frames back',
      )
    case 'nothing':
      return fail(
        check,
        `no WebSocket opens at ${address} (${opened.reason}): ${without}`,
        proxyAdvice('upgrade', undefined),
      )
    case 'request':
      return refused(check, address, without, opened)
  }
}

function refused(
  check: string,
  address: string,
  without: string,
  { status, headers }: Extract<Opened, { as: 'request' }>,
): Finding {
  if (status === 403)
    return fail(
      check,
      `the server refuses WebSockets of pages of ${address.replace(/^ws/, 'http')} (403): ${without}`,
      'start the server with the same PUBLIC_URL; if the proxy itself refuses, have it let WebSockets pass',
    )
  if (status === 429 || status >= 500)
    return fail(
      check,
      `WebSockets are answered with ${status} at ${address}: ${without}`,
      'look into the log of the proxy and of the server',
    )
  return fail(
    check,
    `the proxy makes plain requests of WebSockets (the answer is ${status}): ${without}`,
    proxyAdvice('upgrade', headers),
  )
}

/** Opens one, and waits until the server has closed it, or has answered our goodbye. Never rejects. */
export function openSocket({
  url,
  protocols = [],
  headers = {},
  leaves = false,
}: SocketAsk): Promise<Opened> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, protocols, {
      headers,
      handshakeTimeout: PATIENCE_MS,
      followRedirects: false,
    })
    let late: ReturnType<typeof setTimeout> | undefined
    const settle = (opened: Opened) => {
      clearTimeout(late)
      resolve(opened)
      socket.terminate()
    }
    socket.on('unexpected-response', (_, { statusCode = 0, headers: given }: IncomingMessage) =>
      settle({ as: 'request', status: statusCode, headers: headersOf(given) }),
    )
    socket.on('error', (error) => settle({ as: 'nothing', reason: reasonOf(error) }))
    socket.on('open', () => {
      late = setTimeout(() => settle({ as: 'silent' }), PATIENCE_MS)
      if (leaves) socket.close(1000)
    })
    // 1006: the connection broke, without a word of the server's.
    socket.on('close', (code) =>
      settle(code === 1006 ? { as: 'silent' } : { as: 'socket', closedWith: code }),
    )
  })
}

function headersOf(given: IncomingMessage['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, String(value))
  return headers
}
