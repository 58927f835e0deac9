import type { Handler } from '../ends/in-process.js'

/** Hands a request on and lets the page that sent it read the answer, if its origin is allowed; refuses it else. */
export type OriginGate = (request: Request, handle: Handler) => Promise<Response>

/**
 * For what only our own pages are to ask: the pages of these origins, and programs, which name none. A page of any other site is refused, so
 * that nobody has the browsers of strangers ask for him. Browsers alone tell the truth here: it is no lock against programs.
 */
export function allowOrigins(origins: readonly string[]): OriginGate {
  const allowed = new Set(origins.map((origin) => new URL(origin).origin))
  return async (request, handle) => {
    const origin = request.headers.get('origin')
    if (origin !== null && !allowed.has(origin))
      return Response.json(
        {
          code: 'origin_not_allowed',
          message: `Pages of ${nameOf(origin)} may not ask here: set ALLOWED_ORIGINS to let them`,
        },
        { status: 403, headers: { 'cache-control': 'no-store', vary: 'origin' } },
      )
    const answer = await handle(request)
    const { headers } = answer
    headers.append('vary', 'origin')
    if (origin === null) headers.delete('access-control-allow-origin')
    else headers.set('access-control-allow-origin', origin)
    return answer
  }
}

/** An origin as it may be said again: `null` and everything that is no address stay unnamed. */
const nameOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).origin : 'an unnamed site')
