import { OperatorsError, refusalOf } from '@heyline/back-office'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { NO_SECRET_KEY, type OperatorsEnd } from '../ends/operators-end.js'
import { SetupAttempts } from './setup-attempts.js'

export interface SetupRouteOptions {
  /** Undefined: there can be no operators. */
  operators: OperatorsEnd['operators'] | undefined
  /** The client's address, where it is known. */
  addressOf: (request: Request) => string | undefined
  attempts?: SetupAttempts
}

/** Longest body, in bytes. */
const BODY_LIMIT = 4_000

/** Refuses longer ones. */
export const setupBodyLimit = bodyLimit({
  maxSize: BODY_LIMIT,
  onError: () => refused(413, 'too_large', `A body has at most ${BODY_LIMIT} bytes`),
})

const body = z.object({
  code: z.string().max(100),
  email: z.string().max(400),
  password: z.string().max(512),
})

/**
 * `POST /-/operators/setup` with `{code, email, password}`: makes the first owner. 201 with `{email, isNew}`; `isNew` is false for an
 * account that was there already, which keeps its own password.
 */
export function setupRoute({ operators, addressOf, attempts = new SetupAttempts() }: SetupRouteOptions) {
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST')
      return refused(405, 'method_not_allowed', 'Only POST is served', { allow: 'POST' })
    const address = addressOf(request)
    const waitSeconds = attempts.count(address)
    if (waitSeconds !== undefined)
      return refused(429, 'too_many_attempts', `Too many tries: try again in ${waitSeconds} seconds`, {
        'retry-after': String(waitSeconds),
      })
    const parsed = body.safeParse(await request.json().catch(() => undefined))
    if (!parsed.success) return refused(400, 'invalid_request', 'Send code, email and password as JSON')
    try {
      if (!operators) throw new OperatorsError('no_secret_key', NO_SECRET_KEY)
      const made = await operators.setUp(parsed.data, address)
      return Response.json(made, { status: 201, headers: HEADERS })
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      return refused(refusal.status, refusal.code, refusal.message)
    }
  }
}

const HEADERS = { 'cache-control': 'no-store' }

const refused = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message }, { status, headers: { ...HEADERS, ...headers } })
