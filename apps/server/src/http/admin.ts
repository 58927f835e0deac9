import { VisitorError, type VisitorErrorCode, type Visitors } from '@heyline/backend'
import { createCallOffice, RecordsError, type RecordsErrorCode } from '@heyline/call-desk'
import { BackupError, DatabaseError, type Db } from '@heyline/database'
import { isSameSecret } from '@heyline/kit/secret'
import { Hono } from 'hono'
import { createPeople } from '../people/people.js'
import { adminCalls } from './admin-calls.js'
import { adminPeople } from './admin-people.js'
import { adminVisitors } from './admin-visitors.js'
import { backupAnswer } from './backup-answer.js'

const STATUS = {
  invalid_visitor: 400,
  invalid_slug: 400,
  invalid_name: 400,
  slug_taken: 409,
  visitor_not_found: 404,
  too_large: 413,
  not_supported: 400,
  visitors_unreachable: 502,
  invalid_request: 400,
  invalid_phone: 400,
  invalid_id: 400,
  call_not_found: 404,
  several_calls: 409,
  slug_not_called: 404,
  not_listed: 404,
  call_running: 409,
  calls_unreachable: 502,
} as const satisfies Record<VisitorErrorCode | RecordsErrorCode, number>

export interface AdminOptions {
  visitors: Visitors
  db: Db
  secret: string
}

/** `/-/admin`: the command's way into a running server. Bearer of the secret key only; no CORS. */
export function admin({ visitors, db, secret }: AdminOptions): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    if (!isBearer(context.req.header('authorization'), secret))
      return context.json(
        { code: 'unauthorized', message: 'The secret key is needed: see heyline keys' },
        401,
      )
    // It would run what GET does, a whole backup, for a body that nobody reads.
    if (context.req.method === 'HEAD') return context.body(null, 405)
    context.header('cache-control', 'no-store')
    return next()
  })
  app.route('/', adminVisitors(visitors))
  app.route('/', adminCalls(createCallOffice(db)))
  app.route('/', adminPeople(createPeople(db, visitors)))
  app.get('/backup', () => backupAnswer(db))
  app.onError((error, context) => {
    if (error instanceof VisitorError || error instanceof RecordsError)
      return context.json({ code: error.code, message: error.message }, STATUS[error.code])
    if (error instanceof BackupError || error instanceof DatabaseError)
      return context.json({ code: error.code, message: error.message }, 409)
    throw error
  })
  return app
}

function isBearer(header: string | undefined, secret: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1]
  return given !== undefined && isSameSecret(given, secret)
}
