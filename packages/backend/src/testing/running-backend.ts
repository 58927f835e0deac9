import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Db, migrate } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { pino } from 'pino'
import { vi } from 'vitest'
import { WebSocket } from 'ws'
import { type BackendFunction, type BackendKeys, createBackend } from '../index.js'

export const KEYS: BackendKeys = {
  publishable: 'sb_publishable_of_the_tests',
  secret: 'sb_secret_of_the_tests',
  jwtSecret: 'a-jwt-secret-of-the-tests-with-32-characters',
}

// Node 20 has no WebSocket of its own, and no client is made without one.
vi.stubGlobal('WebSocket', WebSocket)

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
  /** The backend itself, for requests that no HTTP client would send. */
  serve(request: Request): Promise<Response>
  /** What was logged, one object a line. */
  log: Record<string, unknown>[]
  /** The real client, with this key and these headers on every request. */
  client(key: string, headers?: Record<string, string>): SupabaseClient
  close(): Promise<void>
}

export async function runBackend(functions: Record<string, BackendFunction> = {}): Promise<RunningBackend> {
  const db = await openTestDb()
  await migrate(db, { folder: fileURLToPath(new URL('../../../../supabase/', import.meta.url)) })
  const log: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line: string) => log.push(JSON.parse(line)) })
  const { fetch: serve } = createBackend({ db, keys: KEYS, functions, logger })
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const bodiless = method === 'GET' || method === 'HEAD'
    const request = new Request(`http://${headers.host}${path}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ...(!bodiless && { body: Readable.toWeb(incoming), duplex: 'half' }),
    } as RequestInit)
    const response = await serve(request)
    // What was not read cannot be skipped for the next request.
    if (!incoming.complete) outgoing.setHeader('connection', 'close')
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    db,
    log,
    serve,
    client: (key, headers = {}) =>
      createClient(url, key, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { headers },
      }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await db.close()
    },
  }
}
