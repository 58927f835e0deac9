import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { placeOf } from '@heyline/call-desk/client-address'
import { socketAddress } from '../http/client.js'
import type { HeaderList } from '../http/header-list.js'
import type { AddressShares } from './address-shares.js'
import type { BarredAddresses } from './barred-addresses.js'
import type { Connection } from './connection.js'
import { Crumbs } from './crumbs.js'
import { type ForwardedRequest, ForwardedRequests } from './forwarded-requests.js'
import { FullHouse } from './full-house.js'
import { hasTooManyLines, keepLines } from './header-lines.js'
import { leaveRest } from './leave-rest.js'
import { refusalText } from './refusal.js'
import { SilentSockets } from './silent-sockets.js'
import { SlowBodies } from './slow-bodies.js'
import { UnreadAnswers } from './unread-answers.js'

/** Most connections at once, of all clients. */
const MOST_CONNECTIONS = 4_000
/** Requests under way on one connection. Browsers send one after the other; programs may send ten ahead, and answers are still on their way. */
const MOST_OF_ONE_CONNECTION = 12
/** How often they are looked at, in ms. */
const LOOK_MS = 500
/** The longest time that counts between two looks, in ms. If this process itself was held up, its clients are not to blame. */
const MOST_BETWEEN_MS = 2 * LOOK_MS

/** Why a connection was ended. */
export type CutReason =
  | 'too many connections'
  | 'too many of one address'
  | 'too many of one network'
  | 'made room for another network'
  | 'too many requests ahead'
  | 'address was cut too often'
  | 'does not read'
  | 'does not send'
  | 'sends crumbs'
  | 'says nothing'

export interface ConnectionsOptions {
  server: Server
  /** Connections of one address. Omitted behind proxies, because all connections are then theirs. */
  shares: AddressShares | undefined
  /** Whose connections are not counted by network. */
  isExempt(address: string): boolean
  /** Most connections at once; for tests. */
  most?: number | undefined
  /** Addresses that send too many requests ahead, or crumbs. Omitted behind proxies, too. */
  barred: BarredAddresses | undefined
  /** Addresses that leave again and again without their answers. */
  leavers: BarredAddresses
  /** How long the body of a request may take, in ms; for tests. */
  bodyMs?: number | undefined
  onCut(reason: CutReason): void
  /** What the answer to this request begins with. */
  headersOf(request: IncomingMessage): HeaderList
  /** Answers a request whose head has too many lines. Its connection ends then. */
  refuseHead(request: IncomingMessage, response: ServerResponse): void
}

/**
 * The connections of a server. Bounds how many there are, in all and per address, and ends those whose clients do not read, stay silent or
 * send what costs too much.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #options: ConnectionsOptions
  readonly #unread = new UnreadAnswers()
  readonly #slow: SlowBodies
  readonly #silent = new SilentSockets()
  readonly #house: FullHouse<Connection>
  readonly #forwarded: ForwardedRequests
  readonly #crumbs = new Crumbs((socket) => this.#endOften(socket, 'sends crumbs'))
  /** Answers to requests that are not handled: each is the last of its connection. */
  readonly #last = new WeakSet<ServerResponse>()
  /** Those that were ended here, and not by their clients. */
  readonly #ended = new WeakSet<Socket>()
  readonly #timer: NodeJS.Timeout
  #lookedAt = performance.now()

  constructor(options: ConnectionsOptions) {
    this.#options = options
    const { server, bodyMs, most = MOST_CONNECTIONS, onCut } = options
    this.#forwarded = new ForwardedRequests(most)
    this.#slow = new SlowBodies(bodyMs, (request) => this.#forwarded.isGreedy(request))
    this.#house = new FullHouse({
      most,
      isIdle: ({ upgraded, answers }) => !upgraded && answers.size === 0,
      // A call goes on.
      mayGo: ({ upgraded }) => !upgraded,
    })
    server.maxConnections = most
    keepLines(server)
    server.on('drop', () => onCut('too many connections'))
    server.on('connection', (socket) => this.#take(socket))
    // Before the handler, which gets a request when all that was read with it is parsed.
    server.on('request', (request, response) => this.#begin(request, response))
    // Node would answer these by itself, and nobody would count them. We may ignore what they expect (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
    this.#timer.unref()
  }

  /** The connection of a socket; undefined for one that has ended. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket)
  }

  /** Whether the connection ends because of this request. */
  isLast(response: ServerResponse): boolean {
    return this.#last.has(response)
  }

  /** Whether it was ended here, and not by its client. */
  wasEnded(socket: Socket): boolean {
    return this.#ended.has(socket)
  }

  /**
   * Takes a place for a request from this network behind a proxy. Returns a function that gives it back, to call when the client has its answer
   * or is gone; undefined if the network has all that it may have now.
   */
  enter(network: string, request: IncomingMessage, answer?: ServerResponse): (() => void) | undefined {
    const connection = this.of(request.socket)
    if (!connection) return () => undefined
    const entered = this.#forwarded.enter(network, { connection, request, answer })
    if (entered?.leaving) this.#giveUp(entered.leaving)
    return entered?.leave
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #take(socket: Socket): void {
    const { shares, barred, leavers } = this.#options
    const address = socketAddress(socket)
    if (barred?.isBarred(address) || (shares && leavers.isBarred(address))) {
      this.#end(socket, 'address was cut too often')
      return
    }
    const giveBack = shares ? shares.take(address) : () => undefined
    if (!giveBack) {
      this.#end(socket, 'too many of one address')
      return
    }
    const network = this.#networkOf(socket)
    if (network !== undefined && !this.#house.admits(network)) {
      giveBack()
      this.#end(socket, 'too many of one network')
      return
    }
    const connection: Connection = { socket, answers: new Map(), upgraded: false }
    this.#open.set(socket, connection)
    const leaving = network === undefined ? undefined : this.#house.enter(network, connection)
    if (leaving) this.#end(leaving.socket, 'made room for another network')
    socket.once('close', () => {
      this.#open.delete(socket)
      if (network !== undefined) this.#house.leave(network, connection)
      for (const over of connection.answers.values()) over()
      giveBack()
    })
  }

  /** Undefined where its connections are not told apart: those of a proxy, or of this machine. */
  #networkOf(socket: Socket): string | undefined {
    const { shares, isExempt } = this.#options
    const address = socketAddress(socket)
    return shares && address !== undefined && !isExempt(address) ? placeOf(address).network : undefined
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const answers = this.of(socket)?.answers
    if (answers && answers.size >= MOST_OF_ONE_CONNECTION) {
      this.#last.add(response)
      this.#endOften(socket, 'too many requests ahead')
      return
    }
    if (hasTooManyLines(request)) {
      this.#last.add(response)
      this.#options.refuseHead(request, response)
      leaveRest(socket)
      return
    }
    answers?.set(response, () => undefined)
    response.once('close', () => answers?.delete(response))
    this.#crumbs.count(request)
  }

  #look(): void {
    const now = performance.now()
    const sinceMs = Math.min(now - this.#lookedAt, MOST_BETWEEN_MS)
    this.#lookedAt = now
    const open = [...this.#open.values()]
    this.#cut(this.#unread.look(open, sinceMs), 'does not read')
    this.#cut(this.#slow.look(open, sinceMs), 'does not send')
    this.#cut(this.#silent.look(open, sinceMs), 'says nothing')
  }

  #cut(connections: Connection[], reason: CutReason): void {
    for (const { socket } of connections) this.#end(socket, reason)
  }

  /** Ends it, and refuses the next ones of its address if this goes on. */
  #endOften(socket: Socket, reason: CutReason): void {
    this.#options.barred?.cut(socketAddress(socket))
    this.#end(socket, reason)
  }

  /** Ends it with an answer where none has begun: a proxy may take a server that resets connections for a broken one. */
  #giveUp({ connection: { socket, answers }, request, answer }: ForwardedRequest): void {
    const reason = 'made room for another network'
    if (!answer || answer.headersSent || answers.size > 1) {
      this.#end(socket, reason)
      return
    }
    this.#ended.add(socket)
    leaveRest(socket)
    socket.end(refusalText(429, this.#options.headersOf(request)), () => socket.destroy())
    this.#options.onCut(reason)
  }

  #end(socket: Socket, reason: CutReason): void {
    this.#ended.add(socket)
    leaveRest(socket)
    // A reset also drops what the system still holds for this client.
    socket.resetAndDestroy()
    this.#options.onCut(reason)
  }
}
