import { join } from 'node:path'
import { type Db, migrate, openPglite, openPostgres } from '@heyline/database'
import { startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { OPEN_GATE } from '../apps/server/src/testing/open-gate.js'
import { readServerKeys } from '../apps/server/src/testing/server-keys.js'
import { RunningHeyline } from '../e2e/running-heyline.js'
import { LEDGER_ROWS, makeSecrets, VISITOR_ROWS } from '../packages/backend/src/testing/hidden-visitors.js'
import { sendOver } from '../packages/backend/src/testing/wire.js'
import type { BrowserCalls } from './doors/door.js'
import type { DoorKeys } from './doors/door-keys.js'

const SQL_FOLDER = new URL('../supabase/', import.meta.url)
const logger = pino({ level: 'silent' })

const KEYS = {
  publishable: 'sb_publishable_of_the_fuzz',
  secret: 'sb_secret_that_only_the_fuzzed_server_knows',
}

const HOOK_SECRET = 'hook-secret-of-the-fuzzed-server'

/** A server process as `npm start` runs it, on a database of its own with the planted rows. */
export interface FuzzedServer {
  /** The backend's base URL. */
  readonly base: string
  keys: typeof KEYS
  /** The server's own address, and what opens its other doors. */
  readonly url: string
  doorKeys: DoorKeys
  readonly browserCalls: BrowserCalls
  /** Starts it anew, on the same data: from now on it makes the browser calls itself, and asks for a human check. */
  mint(): Promise<void>
  /** Puts the planted rows back, over the wire. */
  plant(): Promise<void>
  /** Memory of the process, in MB; 0 where the system does not tell. Throws where the process has ended. */
  memory(): number
  stop(): Promise<void>
}

/**
 * Starts it on `database`: `pglite`, `postgres` (a temporary server, where Postgres is installed) or the address of an empty
 * database.
 */
export async function startFuzzedServer(database: string): Promise<FuzzedServer> {
  const temporary = database === 'postgres' ? await startPostgres() : undefined
  const url = database === 'pglite' ? undefined : (temporary?.url ?? database)
  if (url) await withDb(openPostgres({ url, logger }), prepare)
  const heyline = await RunningHeyline.start({
    SUPABASE_PUBLISHABLE_KEY: KEYS.publishable,
    SUPABASE_SECRET_KEY: KEYS.secret,
    ...OPEN_GATE,
    // What one address may have in the browser stays as it is by default.
    WEB_CALL_LIMIT_SLUG: '100000/1h',
    WEB_CALL_LIMIT_STARTS: '100000/1h',
    WEB_CALLS: 'direct',
    TRUST_PROXY: '1',
    LIVE_STATUS: 'on',
    PLATFORM_HOOK_SECRET: HOOK_SECRET,
    ...(url && { DATABASE_URL: url }),
  })
  if (!url) {
    await heyline.end()
    await withDb(openPglite({ directory: join(heyline.dataDirectory, 'pglite'), logger }), makeSecrets)
    await heyline.restart()
  }
  const base = () => `${heyline.url}/-/backend`
  let browserCalls: BrowserCalls = 'direct'
  const { platformPublic, platformPrivate } = readServerKeys(heyline.dataDirectory)
  return {
    get base() {
      return base()
    },
    keys: KEYS,
    get url() {
      return heyline.url
    },
    get browserCalls() {
      return browserCalls
    },
    async mint() {
      browserCalls = 'minted'
      await heyline.restart('SIGTERM', { WEB_CALLS: browserCalls, HUMAN_CHECK: 'altcha' })
    },
    doorKeys: {
      platformPublic,
      platformPrivate,
      hookSecret: HOOK_SECRET,
      secret: KEYS.secret,
      assistantId: heyline.assistantId,
    },
    plant: () => plantOver(base()),
    memory: () => Math.round(heyline.memory ?? 0),
    async stop() {
      await heyline.stop()
      await temporary?.stop()
    },
  }
}

async function withDb(opening: Promise<Db>, run: (db: Db) => Promise<void>): Promise<void> {
  const db = await opening
  try {
    await run(db)
  } finally {
    await db.close()
  }
}

/** Rows are deleted again and again, so nobody's own database will do. */
async function prepare(db: Db): Promise<void> {
  const { rows } = await db.query<{ taken: boolean }>(
    "select to_regclass('public.visitors') is not null as taken",
  )
  if (rows[0]?.taken)
    throw new Error('That database has visitors already. Name an empty one: its rows will be deleted.')
  await migrate(db, { folder: SQL_FOLDER })
  await makeSecrets(db)
}

async function plantOver(base: string): Promise<void> {
  const send = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status, text } = await sendOver(base, {
      method,
      path: `/rest/v1/${path}`,
      headers: [
        ['apikey', KEYS.secret],
        ['content-type', 'application/json'],
      ],
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (status >= 300) throw new Error(`The rows could not be planted: ${status} ${text}`)
  }
  await send('DELETE', 'visitors?slug=neq.')
  await send('DELETE', 'ledger?id=not.is.null')
  await send('POST', 'visitors', VISITOR_ROWS)
  await send('POST', 'ledger', LEDGER_ROWS)
}
