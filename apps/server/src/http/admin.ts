import {
  isSameSecret,
  parseNewVisitor,
  VisitorError,
  type VisitorErrorCode,
  type Visitors,
} from '@heyline/backend'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'

/** Longest body of an admin request, in bytes: a visitor with a long prompt. */
const BODY_LIMIT = 1_000_000

const STATUS = {
  invalid_visitor: 400,
  invalid_slug: 400,
  invalid_name: 400,
  slug_taken: 409,
  visitors_unreachable: 502,
} as const satisfies Record<VisitorErrorCode, number>

/** `/-/admin`: the command's way into a running server. Bearer of the secret key only; no CORS. */
export function admin(visitors: Visitors, secret: string): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    if (!isBearer(context.req.header('authorization'), secret))
      return context.json(
        { code: 'unauthorized', message: 'The secret key is needed: see heyline keys' },
        401,
      )
    context.header('cache-control', 'no-store')
    return next()
  })
  app.get('/visitors', async (context) => context.json(await visitors.list()))
  app.post('/visitors', bodyLimit({ maxSize: BODY_LIMIT }), async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined)
    return context.json(await visitors.add(parseNewVisitor(body)), 201)
  })
  app.onError((error, context) => {
    if (!(error instanceof VisitorError)) throw error
    return context.json({ code: error.code, message: error.message }, STATUS[error.code])
  })
  return app
}

function isBearer(header: string | undefined, secret: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1]
  return given !== undefined && isSameSecret(given, secret)
}
