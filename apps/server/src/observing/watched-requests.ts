import type { IncomingMessage, ServerResponse } from 'node:http'
import { pathOf } from '../edge/request-path.js'
import type { RequestHandler } from '../http/listening.js'
import type { Metrics } from '../metrics/metrics.js'
import { methodLabel, routeGroupOf, statusLabel } from '../metrics/route-group.js'

/** An answer that is over. */
export interface Answered {
  request: IncomingMessage
  response: ServerResponse
  /** As routes see it. */
  path: string
  ms: number
  /** The client left before it had the answer. */
  isGone: boolean
}

/** Wraps a handler: `onAnswered` is told of each answer when it is over. */
export const watched =
  (handler: RequestHandler, onAnswered: (answered: Answered) => void): RequestHandler =>
  (request, response) => {
    const start = performance.now()
    response.once('close', () => {
      const isGone = !response.writableFinished
      onAnswered({ request, response, path: pathOf(request), ms: performance.now() - start, isGone })
    })
    return handler(request, response)
  }

/** Counts an answer. */
export function countAnswer(metrics: Metrics, { request, response, path, ms, isGone }: Answered): void {
  const isStream = String(response.getHeader('content-type')).startsWith('text/event-stream')
  metrics.answered(
    routeGroupOf(path),
    methodLabel(request.method),
    statusLabel(response.statusCode, isGone && !isStream),
    isStream || isGone ? undefined : ms / 1000,
  )
}
