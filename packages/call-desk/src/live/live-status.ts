import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorResponse } from '../call/call-error.js'
import { errorCode } from '../run/error-code.js'
import { isOver } from './call-status.js'
import { StateWatch } from './state-watch.js'

export interface LiveStatusOptions {
  db: Db
  logger: Logger
  /** Between two signs of life on a stream. */
  heartbeatMs?: number
}

export interface LiveStatus {
  /**
   * Answers GET with server-sent events of one request: `event: state`, `data: {"state":"ringing"}`, with `"outcome"` at the end. The
   * present state first, then each later one, until it is final. 503 where too many follow already.
   */
  events(request: Request, id: string): Promise<Response>
  /** Ends all streams; none begins after that. */
  close(): Promise<void>
}

const DEFAULT_HEARTBEAT_MS = 15_000

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
  ...options
}: LiveStatusOptions): LiveStatus {
  const watch = new StateWatch({ ...options, heartbeatMs })

  async function answer(request: Request, id: string): Promise<Response> {
    if (request.method !== 'GET') {
      const refusal = errorResponse('method_not_allowed', 'Use GET.')
      refusal.headers.set('allow', 'GET')
      return refusal
    }
    if (!UUID.test(id)) return errorResponse('not_found')
    const stream = watch.follow(id)
    if (!stream) return errorResponse('unavailable', 'Too many follow calls at present. Try again later.')
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
      return errorResponse('unavailable', 'The state could not be read. Try again.')
    }
  }

  return {
    async events(request, id) {
      const response = await answer(request, id)
      // Pages live on static hosts, too. Nobody can guess an id.
      response.headers.set('access-control-allow-origin', '*')
      return response
    },
    close: () => watch.close(),
  }
}
