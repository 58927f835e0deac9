import { type Actor, type Operator, type OperatorsError, reaches, writeAudit } from '@heyline/back-office'
import type { Queryable } from '@heyline/database'
import { isSameSecret } from '@heyline/kit/secret'
import type { Context, MiddlewareHandler } from 'hono'
import type { OperatorsEnd } from '../ends/operators-end.js'
import { ADMIN_ROUTES, type AdminRoute } from './admin-routes.js'

/** What a route of `/-/admin` knows of who asks. */
export interface AdminEnv {
  Variables: {
    actor: Actor
    /** Undefined for the secret key. */
    operator: Operator | undefined
  }
}

export interface AdminAccessOptions {
  db: Queryable
  secret: string
  /** Undefined: only the secret key opens anything. */
  access: OperatorsEnd['access'] | undefined
  /** The client's address, where it is known. */
  addressOf: (request: Request) => string | undefined
}

const PREFIX = /^\/-\/admin(?=\/)/

/** Lets in the secret key, and operators as far as their role goes; writes into the audit what they change. */
export function adminAccess({
  db,
  secret,
  access,
  addressOf,
}: AdminAccessOptions): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    const bearer = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
    const address = addressOf(context.req.raw)
    const isSecret = bearer !== undefined && isSameSecret(bearer, secret)
    const route = ADMIN_ROUTES[`${context.req.method} ${context.req.path.replace(PREFIX, '')}`]
    if (!isSecret) {
      // An access token is a JWT.
      if (!access || bearer?.split('.').length !== 3) return unauthorized(context)
      const operator = await access.enter(bearer)
      if (!route || !reaches(operator.role, route.role)) return forbidden(context, operator, route)
      context.set('operator', operator)
      context.set('actor', { name: operator.email, address })
    } else context.set('actor', { name: 'secret key', address })
    // It would run what GET does, a whole backup, for a body that nobody reads.
    if (context.req.method === 'HEAD') return context.body(null, 405)
    context.header('cache-control', 'no-store')
    await next()
    if (route && context.res.ok) await finish(context, route)
    return undefined
  }

  async function finish(context: Context<AdminEnv>, route: AdminRoute): Promise<void> {
    if (route.audit) await writeAudit(db, context.get('actor'), route.audit, await notesOf(context, route))
    if (route.masked && context.get('operator')?.role === 'viewer')
      context.res = context.json(route.masked(await context.res.json()))
  }
}

const unauthorized = (context: Context) =>
  context.json(
    {
      code: 'unauthorized',
      message: 'The secret key is needed (see heyline keys), or the access token of an operator',
    },
    401,
  )

const forbidden = (context: Context, { role }: Operator, route: AdminRoute | undefined) =>
  context.json(
    {
      code: 'forbidden',
      message: route
        ? `This needs the role ${route.role}, and yours is ${role}`
        : 'No operator may do this: it needs the secret key',
    },
    403,
  )

async function notesOf(context: Context, { notes = [] }: AdminRoute): Promise<Record<string, unknown>> {
  if (notes.length === 0) return {}
  const answer: unknown = await context.res.clone().json()
  return Object.fromEntries(notes.map((name) => [name, Reflect.get(Object(answer), name) ?? null]))
}

/** The status of each refusal. */
export const OPERATORS_STATUS = {
  invalid_request: 400,
  invalid_email: 400,
  invalid_role: 400,
  invalid_code: 403,
  weak_password: 422,
  operator_not_found: 404,
  already_operator: 409,
  account_gone: 409,
  last_owner: 409,
  setup_done: 409,
  setup_running: 409,
  no_secret_key: 409,
  unauthorized: 401,
  not_an_operator: 403,
  second_factor_needed: 403,
  accounts_refused: 502,
  accounts_unreachable: 502,
  operators_unreachable: 502,
} as const satisfies Record<OperatorsError['code'], number>
