import { DatabaseError, isOutage } from '@heyline/database'
import type { Logger } from 'pino'
import { AuthError } from './auth-error.js'
import type { AuthAnswer } from './request.js'

const API_VERSION = 'x-supabase-api-version'
/** The version of the error format that has `{code, message}`. */
const NEWER_FORMAT = '2024-01-01'

/** When to ask again while the database is away. */
const RETRY_SECONDS = '2'

/** No answer of an account is for anybody's cache. */
const NO_STORE = { 'cache-control': 'no-store' }

export function answerOf({ status, body, headers }: AuthAnswer): Response {
  const init = { status: status ?? (body === undefined ? 204 : 200), headers: { ...NO_STORE, ...headers } }
  return body === undefined ? new Response(null, init) : Response.json(body, init)
}

/**
 * What went wrong, in the format that the client asks for: `{code, message}`, or the older `{code, error_code, msg}`.
 * What is our own fault is logged here, and told in general words only.
 */
export function errorAnswer(error: unknown, request: Request, logger: Logger): Response {
  const known = error instanceof AuthError ? error : unexpected(error)
  if (known.status >= 500)
    logger.error({ err: error, method: request.method }, 'a request of the auth wire failed')
  const { status, code, message, details } = known
  const isNewer = (request.headers.get(API_VERSION) ?? '') >= NEWER_FORMAT
  const headers = { ...NO_STORE, ...known.headers, ...(isNewer && { [API_VERSION]: NEWER_FORMAT }) }
  const body = isNewer ? { code, message } : { code: status, error_code: code, msg: message }
  return Response.json({ ...body, ...details }, { status, headers })
}

function unexpected(error: unknown): AuthError {
  // Class 22: a text that Postgres cannot store, such as one with a NUL character.
  if (error instanceof DatabaseError && error.code.startsWith('22'))
    return AuthError.invalid('Something in the request holds characters that cannot be stored')
  if (isOutage(error))
    return new AuthError(
      503,
      'unexpected_failure',
      'The database cannot be used now. Try again in a moment',
      {
        headers: { 'retry-after': RETRY_SECONDS },
      },
    )
  return new AuthError(500, 'unexpected_failure', 'Something failed here; it was logged')
}
