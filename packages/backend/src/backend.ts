import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import type { VisitorAccess } from './access/visitor-access.js'
import { preflight, withCors } from './cors.js'
import { type BackendFunction, createFunctions } from './functions.js'
import { type BackendKeys, createKeyCheck } from './keys/backend-keys.js'
import { noRoute, notServed } from './other-services/other-services.js'
import { createRest } from './rest/rest.js'

export type { BackendFunction } from './functions.js'

export interface BackendOptions {
  /** The database, migrated with `supabase/`. */
  db: Db
  keys: BackendKeys
  /** Which visitors the public key sees; `slug` where nothing is said. */
  visitorAccess?: VisitorAccess
  /** Whether the columns `system` and `first_message` are for the secret key alone; false where nothing is said. */
  hidesTexts?: boolean
  /** What answers at `/functions/v1/{name}`. A function is open to everybody: it checks its own callers. */
  functions: Record<string, BackendFunction>
  /** The path that all of it lies under, such as `/-/backend`; none by default. */
  base?: string
  /** Longest that a statement of a request without the secret key may run, in ms; 250 where nothing is said. */
  anonymousPatienceMs?: number
  logger: Logger
}

/** The Supabase wire. Never rejects: what goes wrong is an answer, and what is our own fault is logged once. */
export interface Backend {
  /** Paths, below `base`, as a Supabase project has them: `/rest/v1/visitors`, `/functions/v1/call-me`. */
  fetch(request: Request): Promise<Response>
}

/**
 * The built-in end of the Supabase wire: `/rest/v1` and `/functions/v1`. `/auth/v1`, `/storage/v1` and `/realtime/v1`
 * answer 422 in the error shape that their clients read; every other path is 404. All of it is open to any origin.
 */
export function createBackend({
  db,
  keys,
  visitorAccess = 'slug',
  hidesTexts = false,
  functions,
  base = '',
  anonymousPatienceMs,
  logger,
}: BackendOptions): Backend {
  const services: Record<string, (request: Request, path: string) => Response | Promise<Response>> = {
    rest: createRest({
      db,
      identify: createKeyCheck(keys),
      visitorAccess,
      hidesTexts,
      anonymousPatienceMs,
      logger,
    }),
    functions: createFunctions(functions, logger),
    auth: (request) => notServed('auth', request),
    storage: (request) => notServed('storage', request),
    realtime: (request) => notServed('realtime', request),
  }
  return {
    async fetch(request) {
      if (request.method === 'OPTIONS') return preflight(request)
      const { pathname } = new URL(request.url)
      const below = pathname.startsWith(base) ? pathname.slice(base.length) : ''
      const [, name = '', path = '/'] = /^\/([a-z]+)\/v1(\/.*)?$/.exec(below) ?? []
      const service = Object.hasOwn(services, name) ? services[name] : undefined
      return withCors(service ? await service(request, path) : noRoute())
    },
  }
}
