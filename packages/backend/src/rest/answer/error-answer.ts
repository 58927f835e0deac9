import { DatabaseError } from '@heyline/database'
import type { Logger } from 'pino'
import { RestError } from '../../errors/rest-error.js'
import type { Role } from '../../keys/caller.js'
import { contentType } from '../request/media-type.js'
import { databaseStatus } from './database-status.js'

/** When to ask again while the database is away. */
const RETRY_SECONDS = '2'

interface ErrorBody {
  code: string
  details: string | null
  hint: string | null
  message: string
}

/** What went wrong, as PostgREST says it. What is our own fault (5xx) is logged here, and told in general words only. */
export function errorAnswer(
  error: unknown,
  { request, role, logger }: { request: Request; role: Role; logger: Logger },
): Response {
  if (error instanceof RestError) return write(request, error.status, error, error.headers)
  const status = error instanceof DatabaseError ? databaseStatus(error, role) : 500
  if (error instanceof DatabaseError && status < 500)
    return write(request, status, {
      code: error.code,
      details: error.detail,
      hint: error.hint,
      message: error.message,
    })
  logger.error({ err: error, method: request.method }, 'a REST request failed')
  if (status === 503)
    return write(
      request,
      status,
      {
        code: 'PGRST001',
        details: null,
        hint: null,
        message: 'Database client error. Retrying the connection.',
      },
      { 'retry-after': RETRY_SECONDS },
    )
  const code = error instanceof DatabaseError ? error.code : 'PGRSTX00'
  return write(request, status, { code, details: null, hint: null, message: 'Internal server error' })
}

function write(
  request: Request,
  status: number,
  { code, details, hint, message }: ErrorBody,
  headers: Record<string, string> = {},
): Response {
  const body = request.method === 'HEAD' ? null : JSON.stringify({ code, details, hint, message })
  return new Response(body, {
    status,
    headers: {
      'content-type': contentType('array'),
      'proxy-status': `PostgREST; error=${code}`,
      'cache-control': 'private, no-store',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...headers,
    },
  })
}
