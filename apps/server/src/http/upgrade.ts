import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { PassOn } from '@heyline/voice-platform'
import type { Logger } from 'pino'
import { WebSocket, WebSocketServer } from 'ws'
import { type HeaderList, linesOf } from './header-list.js'

/** Why `ws` itself closes a connection: it gives a code, and no words. */
const REASONS: Readonly<Record<number, string>> = {
  1002: 'not a WebSocket frame',
  1007: 'text that is not UTF-8',
  1008: 'too many frames in a message',
  1009: 'frame too long',
}

/** The server's end of a WebSocket. Every close with a code gives a reason, also one for a frame that cannot be read. */
class ExplainedSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === undefined ? undefined : REASONS[code]))
  }
}

/** One kind of WebSocket that the server takes. */
export interface SocketRoute {
  path: RegExp
  /** The subprotocols it speaks, the preferred one first. A client that names none is taken too where `plain` is set. */
  protocols: readonly string[]
  plain: boolean
  /** A reason to refuse the upgrade: an HTTP status, or undefined to take it. */
  refuse(request: IncomingMessage): number | undefined
  /** The way of a client whose socket another process takes. Undefined, at once or when that is found out, where it is taken here. Never rejects. */
  elsewhere?(request: IncomingMessage, match: RegExpExecArray): Promise<PassOn | undefined> | undefined
  accept(socket: WebSocket, request: IncomingMessage, match: RegExpExecArray): void
}

/** What an upgrade passes before its route is looked for. */
export interface UpgradeGuard {
  /** What a refusal begins with. */
  headersOf(request: IncomingMessage): HeaderList
  /** A reason to refuse it: an HTTP status, or undefined to let it pass. */
  admit(request: IncomingMessage, stream: Duplex): number | undefined
  /** Is told of upgrades that are refused after that: 404 no WebSocket is there, 400 what came is no whole handshake, else what the route says. */
  refused(request: IncomingMessage, status: number): void
}

export interface Upgrades {
  /** Takes upgrades to these routes from now on. */
  serve(routes: readonly SocketRoute[]): void
  /** Takes no more, closes what is open with 1001, and cuts what does not close in a moment. Clients of other processes are cut: they come back. */
  close(): Promise<void>
}

/** Largest frame of any of our sockets, in bytes: a room's text limit is the widest (102,400 characters). */
const MAX_FRAME_BYTES = 512_000
/** Most frames of one message. Browsers send a message in one, or in a few where it is long. Each is work, and nobody counts them apart. */
const MAX_FRAMES = 16
/** Most bytes that are still read after our close, before the client is cut: what was under way when it heard of it. */
const MAX_REST_BYTES = 4_000_000
/** Most of them that are not the content of a message: heads of frames, most of all. Tiny frames are what costs time. */
const MAX_REST_HEAD_BYTES = 256_000
/** How long a client may take to answer our close at a stop, in ms. */
const CLOSE_MS = 1_000
/** And at any other time, in ms: until then it is read, and what it has not read is kept. */
const CLOSE_TIMEOUT_MS = 3_000
const GOING_AWAY = 1001

const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}

/** Takes WebSocket upgrades to routes; everything else is refused with an HTTP answer. */
export function acceptUpgrades(server: Server, logger: Logger, guard?: UpgradeGuard): Upgrades {
  let routes: readonly SocketRoute[] | undefined
  const passedOn = new Set<Duplex>()
  const limits = { maxPayload: MAX_FRAME_BYTES, maxFragments: MAX_FRAMES, closeTimeout: CLOSE_TIMEOUT_MS }
  const door = new WebSocketServer({
    ...limits,
    noServer: true,
    perMessageDeflate: false,
    WebSocket: ExplainedSocket,
    handleProtocols: (offered, request) => {
      const route = routeOf(routes ?? [], request)
      return route?.route.protocols.find((protocol) => offered.has(protocol)) ?? false
    },
  })
  const refuse = (request: IncomingMessage, stream: Duplex, status: number) =>
    hangUp(stream, status, guard?.headersOf(request) ?? [])
  const turnAway = (request: IncomingMessage, stream: Duplex, status: number) => {
    guard?.refused(request, status)
    refuse(request, stream, status)
  }
  door.on('wsClientError', (_, stream, request) => turnAway(request, stream, 400))
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', (error) => logger.debug({ err: error }, 'a socket broke'))
    const kept = guard?.admit(request, stream)
    if (kept) return refuse(request, stream, kept)
    if (!routes) return refuse(request, stream, 503)
    const found = routeOf(routes, request)
    if (!found) return turnAway(request, stream, 404)
    const { route, match } = found
    const offered = offeredProtocols(request)
    const spoken = route.protocols.some((protocol) => offered.includes(protocol))
    if (!spoken && !(route.plain && offered.length === 0)) return turnAway(request, stream, 400)
    const status = route.refuse(request)
    if (status) return turnAway(request, stream, status)
    const take = () =>
      door.handleUpgrade(request, stream, head, (socket) => {
        socket.on('error', (error) => logger.debug({ err: error }, 'a socket broke'))
        boundRest(socket, stream)
        route.accept(socket, request, match)
      })
    const way = route.elsewhere?.(request, match)
    if (!way) return take()
    void way.then((passOn) => {
      if (!passOn) return routes ? take() : refuse(request, stream, 503)
      passedOn.add(stream)
      stream.once('close', () => passedOn.delete(stream))
      passOn(stream, head)
      if (!routes || stream.destroyed) stream.destroy()
    })
  }
  server.on('upgrade', onUpgrade)
  return {
    serve(opened) {
      routes = opened
    },
    async close() {
      routes = undefined
      for (const stream of passedOn) stream.destroy()
      const open = [...door.clients]
      for (const socket of open) socket.close(GOING_AWAY, 'the server stops')
      await Promise.all(open.map((socket) => closedWithin(socket, CLOSE_MS)))
      door.close()
    },
  }
}

/** The path and query of an upgrade request, against an address of no meaning. */
export const targetOf = (request: IncomingMessage): URL => new URL(request.url ?? '/', 'http://localhost')

/** Cuts a client that goes on sending after our close: what it sends is parsed, and nobody counts it. */
function boundRest(socket: WebSocket, stream: Duplex): void {
  const rest = { bytes: 0, content: 0 }
  const isOver = () => socket.readyState !== socket.OPEN
  socket.on('message', (data: Buffer) => {
    if (isOver()) rest.content += data.length
  })
  stream.on('data', (chunk: Buffer) => {
    if (!isOver()) return
    rest.bytes += chunk.length
    if (rest.bytes > MAX_REST_BYTES || rest.bytes - rest.content > MAX_REST_HEAD_BYTES) socket.terminate()
  })
}

function closedWithin(socket: WebSocket, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), ms)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    if (socket.readyState === socket.CLOSED) done()
    else socket.once('close', done)
  })
}

function routeOf(routes: readonly SocketRoute[], request: IncomingMessage) {
  if (!URL.canParse(request.url ?? '/', 'http://localhost')) return undefined
  const { pathname } = targetOf(request)
  for (const route of routes) {
    const match = route.path.exec(pathname)
    if (match) return { route, match }
  }
  return undefined
}

const offeredProtocols = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')

/** Answers and hangs up: a client that keeps its side open would hold the connection for ever. */
function hangUp(stream: Duplex, status: number, headers: HeaderList) {
  stream.once('finish', () => stream.destroy())
  // Whoever speaks another version is told ours (RFC 6455, 4.4).
  const version = status === 400 ? 'Sec-WebSocket-Version: 13\r\n' : ''
  stream.end(
    // Any header `Upgrade` leads here, also of a page or a file: no cache in between keeps the refusal for others.
    `HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? ''}\r\n${linesOf(headers)}${version}Cache-Control: no-store\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}
