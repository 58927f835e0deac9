import { OperatorsError, readAudit } from '@heyline/back-office'
import type { Queryable } from '@heyline/database'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { NO_SECRET_KEY, type OperatorsEnd } from '../ends/operators-end.js'
import type { AdminEnv } from './admin-access.js'
import { bodyOf, limitedTo, parsed } from './admin-body.js'

const BODY_LIMIT = 10_000
const AUDIT_LIMIT = 500

const whom = z.object({ email: z.string() })
const whomAndRole = whom.extend({ role: z.string() })
const auditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(AUDIT_LIMIT).catch(AUDIT_LIMIT),
  before: z.iso.datetime().optional(),
})

export interface AdminOperatorsOptions {
  db: Queryable
  /** Undefined: there can be none. */
  operators: OperatorsEnd['operators'] | undefined
}

/** `/-/admin/operators…`. Addresses travel in bodies, never in an address. */
export function adminOperators({ db, operators }: AdminOperatorsOptions): Hono<AdminEnv> {
  const app = new Hono<AdminEnv>()
  const office = (context: Context<AdminEnv>) => {
    if (!operators) throw new OperatorsError('no_secret_key', NO_SECRET_KEY)
    return operators.as(context.get('actor'))
  }
  app.use('/operators/*', limitedTo(BODY_LIMIT))
  app.get('/operators', async (context) => context.json(await office(context).list()))
  app.get('/operators/me', (context) => {
    const operator = context.get('operator')
    if (!operator) throw new OperatorsError('invalid_request', 'The secret key is no operator')
    return context.json(operator)
  })
  app.get('/operators/audit', async (context) => {
    const { limit, before } = parsed(auditQuery, context.req.query())
    return context.json(await readAudit(db, limit, before))
  })
  app.post('/operators/invite', async (context) =>
    context.json(await office(context).invite(await bodyOf(whomAndRole, context))),
  )
  app.post('/operators/role', async (context) =>
    context.json(await office(context).setRole(await bodyOf(whomAndRole, context))),
  )
  app.post('/operators/remove', async (context) =>
    context.json(await office(context).remove((await bodyOf(whom, context)).email)),
  )
  app.post('/operators/reset', async (context) =>
    context.json(await office(context).reset((await bodyOf(whom, context)).email)),
  )
  app.post('/operators/setup', async (context) => context.json(await office(context).setup()))
  return app
}
