import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { pathPattern } from '../edge/path-pattern.js'
import { pathOf } from '../edge/request-path.js'
import type { RequestHandler } from '../http/listening.js'
import { methodLabel, type RouteGroup, routeGroupOf } from '../metrics/route-group.js'

/** Nobody follows these, and there are many. */
const NOT_TRACED: ReadonlySet<RouteGroup> = new Set(['assets', 'health', 'other'])

/**
 * Wraps a handler: each request that it gets begins a trace. Only a proxy of ours may have begun it (`traceparent`); a stranger's would decide
 * what is kept.
 */
export const tracedRequests =
  (handler: RequestHandler, trustProxy = 0): RequestHandler =>
  (request, response) => {
    const path = pathOf(request)
    if (NOT_TRACED.has(routeGroupOf(path))) return handler(request, response)
    const method = methodLabel(request.method)
    const from = trustProxy > 0 ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT
    const route = pathPattern(path)
    const attributes = { 'http.request.method': method, 'http.route': route }
    return trace
      .getTracer('heyline')
      .startActiveSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, from, (span) => {
        response.once('close', () => {
          span.setAttribute('http.response.status_code', response.statusCode)
          if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        })
        return handler(request, response)
      })
  }
