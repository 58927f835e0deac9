import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

const ALLOW_HEADERS = ['authorization', 'content-type', 'x-visitor-slug']
/** How long a browser may remember a preflight's answer, in seconds. */
const MAX_AGE_S = 600

/**
 * Lets pages of these origins read answers. Preflights are Hono's own. On other answers the two headers are set here: Hono's make a
 * stream of each body, which then costs as much as the rest of a request.
 */
export function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  const allowed = new Set(origins)
  const preflight = cors({ origin: [...origins], allowHeaders: ALLOW_HEADERS, maxAge: MAX_AGE_S })
  return async (context, next) => {
    const { method } = context.req
    if (method === 'OPTIONS') return preflight(context, next)
    await next()
    const { headers } = context.res
    const origin = context.req.header('origin')
    headers.append('vary', 'Origin')
    if (origin !== undefined && allowed.has(origin)) headers.set('access-control-allow-origin', origin)
  }
}
