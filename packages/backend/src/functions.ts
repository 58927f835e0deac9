import { isOutage } from '@heyline/database'
import type { Logger } from 'pino'

/** When to ask again while the database is away. */
const RETRY_SECONDS = '2'

/** Answers one request; it gets the request as it came. */
export type BackendFunction = (request: Request) => Promise<Response>

/** Hands `/functions/v1/{name}` (and what is below it) to the function of that name. Errors are `{code, message}`, as Supabase's. */
export function createFunctions(functions: Record<string, BackendFunction>, logger: Logger) {
  const names = Object.keys(functions).join(', ') || 'none'
  const missing = `Requested function was not found. This server runs no functions but its own: ${names}`
  return async (request: Request, path: string): Promise<Response> => {
    const name = path.split('/')[1] ?? ''
    const run = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!run) return failure(404, 'NOT_FOUND', missing)
    try {
      return await run(request)
    } catch (error) {
      logger.error({ err: error, function: name }, 'a function failed')
      if (isOutage(error))
        return failure(503, 'WORKER_ERROR', 'The database cannot be used now. Try again in a moment', {
          'retry-after': RETRY_SECONDS,
        })
      return failure(500, 'WORKER_ERROR', 'The function failed: see the log of the server')
    }
  }
}

function failure(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ code, message }, { status, headers })
}
