import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorResponse, failureResponse } from '../call/call-error.js'
import { clientAt } from '../call/client-address.js'
import { errorCode } from '../run/error-code.js'
import { Rate } from '../run/rate.js'
import { isOver } from './call-status.js'
import { StateWatch } from './state-watch.js'

export interface LiveStatusOptions {
  db: Db
  logger: Logger
  /** The address of the client that sent a request; undefined where it is not known. */
  addressOf?: (request: Request) => string | undefined
  /** Between two signs of life on a stream. */
  heartbeatMs?: number
  /** Milliseconds, from any beginning. */
  clock?: () => number
}

export interface LiveStatus {
  /**
   * Answers GET with server-sent events of one request: `event: state`, `data: {"state":"ringing"}`, with `"outcome"` at the end. The
   * present state first, then each later one, until it is final. 429 where one address follows too much, 503 where too many follow already.
   * Which origins may read it is for the server to say.
   */
  events(request: Request, id: string): Promise<Response>
  /** Ends all streams; none begins after that. */
  close(): Promise<void>
}

const DEFAULT_HEARTBEAT_MS = 15_000

/** Streams that one address may ask for in a minute. A browser whose stream breaks comes back after 3 s. */
const MOST_NEW = 60

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx would keep events back until there are many.
  'x-accel-buffering': 'no',
}

/** Lets pages follow their calls. */
export function createLiveStatus({
  heartbeatMs = DEFAULT_HEARTBEAT_MS,
  clock,
  ...options
}: LiveStatusOptions): LiveStatus {
  const { addressOf } = options
  const watch = new StateWatch({ ...options, heartbeatMs })
  const rate = new Rate(MOST_NEW, clock)

  async function answer(request: Request, id: string): Promise<Response> {
    if (request.method !== 'GET') {
      const refusal = errorResponse('method_not_allowed', 'Use GET.')
      refusal.headers.set('allow', 'GET')
      return refusal
    }
    if (!UUID.test(id)) return errorResponse('not_found')
    const client = addressOf && clientAt(addressOf(request)).address
    if (!rate.count(client)) return errorResponse('too_many_streams')
    const stream = watch.follow(id, client)
    if (stream === 'too_many_streams') return errorResponse(stream)
    if (stream === 'unavailable')
      return errorResponse(stream, 'Too many follow calls at present. Try again later.')
    try {
      const status = await watch.read(id)
      if (status && !(isOver(status) && request.headers.get('last-event-id') === status.state)) {
        stream.tell(status)
        return new Response(stream.body, { headers: STREAM_HEADERS })
      }
      stream.end()
      // A browser that has heard the last comes back nevertheless; this answer tells it to stay away.
      return status ? new Response(null, { status: 204 }) : errorResponse('not_found')
    } catch (error) {
      stream.end()
      options.logger.warn({ reason: errorCode(error) }, 'the state of a call could not be read')
      return failureResponse('unavailable', error, 'The state could not be read. Try again.')
    }
  }

  return {
    events: answer,
    close: () => watch.close(),
  }
}
