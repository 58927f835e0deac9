import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseError, type Db } from '@heyline/database'
import { pino } from 'pino'
import { databaseName, openDb, SQL_FOLDER } from '../database/open-db.js'
import type { ServerFile } from '../running-server/server-file.js'
import type { Settings } from '../settings/settings.js'
import { ask } from './ask.js'
import { callerIdFindings, checkCallerId } from './caller-id-check.js'
import { checkCalls } from './calls-check.js'
import { checkExposures } from './exposure-check.js'
import { type Finding, fail, ok, warn } from './finding.js'
import { inboundFindings } from './inbound-check.js'
import { checkKeysOf } from './shared-keys-check.js'

const CHECK = 'database'
const OLDEST_POSTGRES = 15
const UNDEFINED_TABLE = '42P01'

/** Opens the database as a start would, and looks which migrations it has and what is exposed; a running server is asked instead. */
export async function checkDatabase(settings: Settings, running: ServerFile | undefined): Promise<Finding[]> {
  if (running && running.database === databaseName(settings)) return [await ofServer(running)]
  if (!settings.databaseUrl && !existsSync(join(settings.dataDirectory, 'pglite', 'pgdata')))
    return [
      ok(CHECK, 'is not there yet: the first start makes it'),
      ...(settings.platform ? [] : await ofNewNumber(settings)),
    ]
  let db: Db
  try {
    db = await openDb(settings, pino({ level: 'silent' }))
  } catch (error) {
    return [unopened(settings, error)]
  }
  try {
    const migrated = await migrations(db)
    // Of an older database, the next start changes who may do what.
    const others =
      migrated.status === 'ok'
        ? [
            ...(await checkKeysOf(settings, db)),
            ...(await checkExposures(db)),
            ...(await checkCalls(settings, db)),
            ...(await checkCallerId(settings, db)),
          ]
        : []
    return [...(await version(db)), migrated, ...others]
  } catch (error) {
    return [unopened(settings, error)]
  } finally {
    await db.close()
  }
}

/** Of the number that the first start stores. */
async function ofNewNumber(settings: Settings): Promise<Finding[]> {
  const callerId = settings.twilio?.callerId
  return [
    ...(await callerIdFindings(settings, callerId)),
    ...(await inboundFindings(settings, callerId === undefined ? [] : [callerId])),
  ]
}

async function ofServer({ url }: ServerFile): Promise<Finding> {
  const said = await ask(`${url}/-/health`)
  return said?.status === 200
    ? ok(CHECK, 'the running server uses it')
    : fail(CHECK, "the running server can't use it", "see the server's log, and restart it")
}

function unopened({ databaseUrl }: Settings, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error)
  return fail(
    CHECK,
    reason,
    databaseUrl
      ? 'check DATABASE_URL: host, port, name and password, and that the server runs'
      : 'stop what uses it; if it is damaged, heyline db restore puts a backup in its place',
  )
}

async function version(db: Db): Promise<Finding[]> {
  const { rows } = await db.query<{ version: string }>("select current_setting('server_version') as version")
  const text = rows[0]?.version ?? ''
  if (Number.parseInt(text, 10) >= OLDEST_POSTGRES) return []
  return [fail(CHECK, `is Postgres ${text}`, `move it to Postgres ${OLDEST_POSTGRES} or newer`)]
}

async function migrations(db: Db): Promise<Finding> {
  const ours = (await readdir(new URL('migrations/', SQL_FOLDER))).map((file) => file.slice(0, 14)).sort()
  const known = await applied(db)
  const newer = known.filter((version) => version > (ours.at(-1) ?? ''))
  if (newer.length > 0)
    return warn(
      CHECK,
      `opens; a newer Heyline has used it (${newer.join(', ')})`,
      'nothing while you update or go back one version; else update this one',
    )
  const pending = ours.filter((version) => !known.includes(version))
  return pending.length > 0
    ? warn(
        CHECK,
        `opens; ${pending.length} migrations are not applied`,
        'nothing: the next start applies them. Make a backup before',
      )
    : ok(CHECK, 'opens, and has every migration')
}

async function applied(db: Db): Promise<string[]> {
  try {
    const { rows } = await db.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations',
    )
    return rows.map(({ version }) => version)
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return []
    throw error
  }
}
