import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { placeOf } from '@heyline/call-desk/client-address'
import { BoundedLog } from '@heyline/kit/bounded-log'
import { systemClock } from '@heyline/kit/clock'
import { isLoopback } from '@heyline/kit/loopback'
import type { Logger } from 'pino'
import { forwardedAddress } from '../http/client.js'
import { FairTurns } from '../http/fair-turns.js'
import { foreignPages, type IsForeign } from '../http/foreign-pages.js'
import type { RequestHandler } from '../http/listening.js'
import type { UpgradeGuard } from '../http/upgrade.js'
import { Accounts, MOST_OF_ONE_ADDRESS } from './accounts.js'
import { AddressShares } from './address-shares.js'
import { allowedHosts } from './allowed-hosts.js'
import { BarredAddresses } from './barred-addresses.js'
import { baseHeaders } from './base-headers.js'
import { Connections, type CutReason } from './connections.js'
import { isForeignLoad } from './foreign-loads.js'
import { hasTooManyLines } from './header-lines.js'
import { REFUSALS, type RefusalStatus, refuse } from './refusal.js'
import { logRefusedAttempt } from './refused-attempts.js'
import { logLostUpgrade, logRefusedUpgrade } from './refused-upgrades.js'
import { pathOf } from './request-path.js'
import { answerUnreadable } from './unreadable-requests.js'
import { UntoldUrl } from './untold-url.js'

const MINUTE_MS = 60_000
/** With so many connections in ten seconds that were ended because of what they sent, an address is refused for a few seconds. */
const MOST_CUT = 5

export interface EdgeOptions {
  server: Server
  /** The address that the server listens on. */
  host: string
  publicUrl: string
  /** Nobody has said `PUBLIC_URL`. */
  isUrlUntold?: boolean
  /** How many proxies stand in front. */
  trustProxy: number | undefined
  logger: Logger
  /** Whether a page of another site has it sent. By default all pages but those of `publicUrl` are of others. */
  isForeign?: IsForeign
  /** Addresses whose connections and requests are not counted. By default this machine, and behind a proxy none. */
  isExempt?: (address: string) => boolean
  /** How long the body of a request may take, in ms; for tests. */
  bodyMs?: number
  /** Most connections at once; for tests. */
  mostConnections?: number
}

/** What every request and every upgrade passes before any other code of ours sees it. */
export interface Edge extends UpgradeGuard {
  /**
   * Wraps a handler: it gets only requests within the limits and for an allowed host name, and its answers have the base headers. A request is
   * under way until its client has the answer or is gone, and what the handler returns has settled.
   */
  guarded(handler: RequestHandler): RequestHandler
  close(): void
}

export function openEdge({
  server,
  host,
  publicUrl,
  isUrlUntold = false,
  trustProxy = 0,
  logger,
  isForeign = foreignPages({ publicUrl }),
  // Behind a proxy each request has its client's address. One without comes from this machine itself, or hides.
  isExempt = trustProxy > 0 ? () => false : isLoopback,
  bodyMs,
  mostConnections,
}: EdgeOptions): Edge {
  const log = new BoundedLog({ logger })
  const refusals = { attempts: log, upgrades: new BoundedLog({ logger, mostLines: 1 }) }
  const untoldUrl = isUrlUntold ? new UntoldUrl(logger) : undefined
  const isAllowedHost = allowedHosts({ host, publicUrl })
  const baseHeadersOf = baseHeaders(publicUrl)
  const headersOf = (request: IncomingMessage) => baseHeadersOf(pathOf(request))
  const accounts = new Accounts({ isForeign, isExempt })
  const starts = new FairTurns()
  const minutes = setInterval(() => accounts.clearHandshakes(), MINUTE_MS).unref()
  const onCut = (reason: CutReason) => log.warn('connection', { reason }, 'a connection was ended')
  const connections = new Connections({
    server,
    shares: trustProxy > 0 ? undefined : new AddressShares({ most: MOST_OF_ONE_ADDRESS, isExempt }),
    barred:
      trustProxy > 0 ? undefined : new BarredAddresses({ clock: systemClock, most: MOST_CUT, isExempt }),
    leavers: accounts.own.leavers,
    isExempt,
    most: mostConnections,
    bodyMs,
    onCut,
    headersOf,
    refuseHead(request, response) {
      setBaseHeaders(request, response)
      refuse(response, refused(431))
    },
  })

  answerUnreadable({ server, connectionOf: (socket) => connections.of(socket), headers: baseHeadersOf('') })

  function setBaseHeaders(request: IncomingMessage, response: ServerResponse) {
    for (const [name, value] of headersOf(request)) response.setHeader(name, value)
  }

  /** The status to refuse with, or what to call when the client is gone and when the request is over. */
  function admit(
    request: IncomingMessage,
    address: string | undefined,
    answer?: ServerResponse,
  ): RefusalStatus | { gone: () => void; over: () => void } {
    const account = accounts.of(request)
    if (account.leavers.isBarred(address)) return refused(429)
    if (!isAllowedHost(request.headers.host)) return refused(421)
    const over = (answer ? account.requests : account.sockets).take(address)
    if (!over) return refused(429)
    const network = forwardedNetwork(request, address)
    const gone = network === undefined ? () => undefined : connections.enter(network, request, answer)
    if (gone) return { gone, over }
    over()
    return refused(429)
  }

  /** Undefined where no proxy has passed the request on. A proxy's own, such as its health checks, come from its address. */
  function forwardedNetwork(request: IncomingMessage, address: string | undefined): string | undefined {
    if (trustProxy === 0 || address === undefined || isExempt(address)) return undefined
    return address === forwardedAddress(request, 0) ? undefined : placeOf(address).network
  }

  function refused(status: RefusalStatus): RefusalStatus {
    const { kind, logged } = REFUSALS[status]
    log.warn(kind, {}, logged)
    return status
  }

  return {
    guarded: (handler) => (request, response) => {
      if (connections.isLast(response)) return
      const connection = connections.of(request.socket)
      setBaseHeaders(request, response)
      if (isForeignLoad(request)) return refuse(response, refused(403))
      untoldUrl?.look(request)
      const address = forwardedAddress(request, trustProxy)
      const admitted = isNamed(request) ? admit(request, address, response) : refused(400)
      if (typeof admitted === 'number') return refuse(response, admitted)
      const gone = new Promise<void>((resolve) => {
        // What a client that is already gone has sent is still handled, because it may count towards a limit.
        if (!connection) resolve()
        connection?.answers.set(response, resolve)
        response.once('close', () => {
          resolve()
          if (isRead(request) && !response.headersSent && !connections.wasEnded(request.socket))
            accounts.of(request).leavers.cut(address)
          logRefusedAttempt(log, request, response.statusCode)
          logLostUpgrade(refusals, request, response.statusCode)
        })
      })
      const handled = new Promise((resolve) => {
        starts.run(address, () => resolve(isLeft(request) ? undefined : handler(request, response)))
      })
      void gone.then(admitted.gone)
      // A client that cuts its connection has no other request handled meanwhile.
      void Promise.allSettled([gone, handled]).then(admitted.over)
    },
    admit(request, stream) {
      if (hasTooManyLines(request)) return refused(431)
      untoldUrl?.look(request)
      const address = forwardedAddress(request, trustProxy)
      if (!accounts.of(request).handshakes.take(address)) return refused(429)
      const admitted = admit(request, address)
      if (typeof admitted === 'number') return admitted
      stream.once('close', admitted.gone)
      stream.once('close', admitted.over)
      const connection = connections.of(request.socket)
      if (connection) connection.upgraded = true
      return undefined
    },
    headersOf,
    refused: (request, status) => logRefusedUpgrade(refusals, request, status),
    close() {
      clearInterval(minutes)
      connections.close()
      log.close()
      refusals.upgrades.close()
    },
  }
}

/** Since HTTP/1.1, a request names its host (RFC 9112, 3.2). */
const isNamed = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.0' || headers.host !== undefined

/** Whether it asks for nothing but its answer. */
const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** Whether nobody waits for the answer any more, and there is nothing but the answer. */
const isLeft = (request: IncomingMessage): boolean => request.socket.destroyed && isRead(request)
