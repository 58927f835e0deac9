import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { pino } from 'pino'
import { vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  type Backend,
  type BackendAuthOptions,
  type BackendFunction,
  createBackend,
  type VisitorAccess,
} from '../index.js'
import { serveHttp } from './http-server.js'
import { KEYS } from './keys.js'

export { KEYS } from './keys.js'

/** A visitor that nobody may find without its slug: the canary of the access tests. */
export const CANARY = {
  slug: 'Canary-7',
  name: 'Nobody Knows',
  system: 'canary-prompt',
  first_message: 'Psst',
}

/** A backend on a database of its own, behind a real HTTP server. */
export interface RunningBackend {
  url: string
  db: Db
  backend: Backend
  /** The backend itself, for requests that no HTTP client would send. */
  serve(request: Request): Promise<Response>
  /** What was logged, one object a line. */
  log: Record<string, unknown>[]
  /** The real client, with this key and these headers on every request. */
  client(key: string, headers?: Record<string, string>): SupabaseClient
  close(): Promise<void>
}

export interface RunOptions {
  visitorAccess?: VisitorAccess
  /** As of `createBackend`; long where nothing is said, since a machine is slow that runs other tests, too. */
  anonymousPatienceMs?: number
  hidesTexts?: boolean
  /** As of `createBackend`: without it, there is no auth service. */
  auth?: BackendAuthOptions
  /** Opens its database: PGlite where nothing is said. */
  open?: () => Promise<Db>
  /** What becomes of a request before the backend gets it: a hole in the wall, to see that somebody notices. */
  hole?: (request: Request) => Request
}

export async function runBackend(
  functions: Record<string, BackendFunction> = {},
  {
    visitorAccess,
    hidesTexts,
    auth,
    anonymousPatienceMs = 5_000,
    open = openTestDb,
    hole = (request) => request,
  }: RunOptions = {},
): Promise<RunningBackend> {
  // Node 20 has no WebSocket of its own, and no client is made without one.
  vi.stubGlobal('WebSocket', WebSocket)
  const db = await open()
  const log: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line: string) => log.push(JSON.parse(line)) })
  const backend = createBackend({
    db,
    keys: KEYS,
    visitorAccess,
    hidesTexts,
    auth,
    anonymousPatienceMs,
    functions,
    logger,
  })
  const serve = (request: Request) => backend.fetch(hole(request))
  const { url, close } = await serveHttp(serve)
  return {
    url,
    db,
    backend,
    log,
    serve,
    client: (key, headers = {}) =>
      createClient(url, key, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { headers },
      }),
    async close() {
      await close()
      await backend.close()
      await db.close()
    },
  }
}
