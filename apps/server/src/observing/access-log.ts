import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { pathPattern } from '../edge/path-pattern.js'
import type { RequestHandler } from '../http/listening.js'
import { methodLabel } from '../metrics/route-group.js'
import type { Answered } from './watched-requests.js'

const REQUEST_ID = 'x-request-id'
/** What an id of a proxy may look like. */
const WELL_FORMED = /^[\w.:-]{8,64}$/

export interface AccessLogOptions {
  logger: Logger
  /** How many proxies stand in front: only one of ours may say how a request is called. */
  trustProxy: number | undefined
}

/** One line for each answer: who asked, and for whom, is not in it. */
export class AccessLog {
  readonly #logger: Logger
  readonly #trustsProxy: boolean
  /** Of a connection: bytes that were sent before this answer. */
  readonly #sentBefore = new WeakMap<ServerResponse, number>()

  constructor({ logger, trustProxy = 0 }: AccessLogOptions) {
    this.#logger = logger
    this.#trustsProxy = trustProxy > 0
  }

  /** Wraps a handler: its answers say the request's id in `x-request-id`. */
  named(handler: RequestHandler): RequestHandler {
    return (request, response) => {
      response.setHeader(REQUEST_ID, this.#idOf(request))
      this.#sentBefore.set(response, request.socket.bytesWritten)
      return handler(request, response)
    }
  }

  write({ request, response, path, ms, isGone }: Answered): void {
    const sentBefore = this.#sentBefore.get(response)
    this.#logger.info(
      {
        requestId: response.getHeader(REQUEST_ID),
        method: methodLabel(request.method),
        path: pathPattern(path),
        status: response.statusCode,
        ms: Math.round(ms),
        ...(sentBefore !== undefined && { bytes: Math.max(0, request.socket.bytesWritten - sentBefore) }),
        ...(isGone && { gone: true }),
      },
      'request',
    )
  }

  #idOf({ headers }: IncomingMessage): string {
    const told = headers[REQUEST_ID]
    return this.#trustsProxy && typeof told === 'string' && WELL_FORMED.test(told) ? told : randomUUID()
  }
}
