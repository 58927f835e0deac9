import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import type { VisitorAccess } from './access/visitor-access.js'
import { type Auth, type AuthOptions, createAuth } from './auth/auth.js'
import { preflight, withCors } from './cors.js'
import { RestError } from './errors/rest-error.js'
import { type BackendFunction, createFunctions } from './functions.js'
import { type BackendKeys, createKeyCheck } from './keys/backend-keys.js'
import { noRoute, notServed } from './other-services/other-services.js'
import { createRest, type RestOptions } from './rest/rest.js'
import { isPageRead } from './rest/visitor-reads.js'

export type { BackendFunction } from './functions.js'

/** What the auth wire needs besides what the backend has. */
export type BackendAuthOptions = Omit<AuthOptions, 'db' | 'isService' | 'logger'>

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
  /** Serves `/auth/v1`, and takes its access tokens; without it the path is not served. */
  auth?: BackendAuthOptions | undefined
  /** The path that all of it lies under, such as `/-/backend`; none by default. */
  base?: string
  /** Where a request is from. Those without the secret key take turns by network; all are from one place where it is left out. */
  placeOf?: RestOptions['placeOf']
  /** Longest that a statement of a request without the secret key may run, in ms; 250 where nothing is said. */
  anonymousPatienceMs?: number
  logger: Logger
}

/** The Supabase wire. Never rejects: what goes wrong is an answer, and what is our own fault is logged once. */
export interface Backend {
  /** Paths, below `base`, as a Supabase project has them: `/rest/v1/visitors`, `/functions/v1/call-me`. */
  fetch(request: Request): Promise<Response>
  /** Whether it is one of the two reads that the page makes: quick, however many visitors there are. */
  isPageRead(request: Request): Promise<boolean>
  /** The auth wire, where it is served. */
  readonly auth: Pick<Auth, 'rotateKeys'> | undefined
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>
}

/**
 * The built-in end of the Supabase wire: `/rest/v1`, `/functions/v1` and, with `auth`, `/auth/v1`. `/storage/v1` and `/realtime/v1`
 * answer 422 in the error shape that their clients read; every other path is 404. All of it is open to any origin.
 */
export function createBackend({
  db,
  keys,
  visitorAccess = 'slug',
  hidesTexts = false,
  functions,
  auth: authOptions,
  base = '',
  placeOf,
  anonymousPatienceMs,
  logger,
}: BackendOptions): Backend {
  const isService = async (headers: Headers) => {
    try {
      return (await identify(headers)).role === 'service_role'
    } catch (error) {
      if (error instanceof RestError) return false
      throw error
    }
  }
  const auth = authOptions && createAuth({ ...authOptions, db, isService, logger })
  const identify = createKeyCheck(keys, auth && ((token) => auth.callerOf(token)))
  const services: Record<string, (request: Request, path: string) => Response | Promise<Response>> = {
    rest: createRest({
      db,
      identify,
      visitorAccess,
      hidesTexts,
      placeOf,
      anonymousPatienceMs,
      logger,
    }),
    functions: createFunctions(functions, logger),
    auth: (request, path) => (auth ? auth.fetch(request, path) : notServed('auth', request)),
    storage: (request) => notServed('storage', request),
    realtime: (request) => notServed('realtime', request),
  }
  /** Which service is asked, and what of it. */
  const serviceOf = (request: Request) => {
    const { pathname } = new URL(request.url)
    const below = pathname.startsWith(base) ? pathname.slice(base.length) : ''
    const [, name = '', path = '/'] = /^\/([a-z]+)\/v1(\/.*)?$/.exec(below) ?? []
    return { name, path }
  }
  return {
    async fetch(request) {
      if (request.method === 'OPTIONS') return preflight(request)
      const { name, path } = serviceOf(request)
      const service = Object.hasOwn(services, name) ? services[name] : undefined
      return withCors(service ? await service(request, path) : noRoute())
    },
    isPageRead: async (request) => {
      const { name, path } = serviceOf(request)
      return name === 'rest' && (await isPageRead(request, path))
    },
    auth,
    close: async () => auth?.close(),
  }
}
