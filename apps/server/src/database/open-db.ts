import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Db, openPglite, openPostgres } from '@heyline/database'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.js'

type DatabaseSettings = Pick<Settings, 'databaseUrl' | 'databaseDirectUrl' | 'databasePool' | 'dataDirectory'>

/** Plain SQL for PGlite, Postgres and Supabase: shim, migrations, seed. */
export const SQL_FOLDER = new URL('../../../../supabase/', import.meta.url)

/** The database that the settings name: a Postgres, or PGlite in the data directory. */
export const openDb = (
  { databaseUrl, databaseDirectUrl, databasePool, dataDirectory }: DatabaseSettings,
  logger: Logger,
): Promise<Db> =>
  databaseUrl
    ? openPostgres({ url: databaseUrl, directUrl: databaseDirectUrl, connections: databasePool, logger })
    : openPglite({ directory: join(dataDirectory, 'pglite'), logger })

/** Tells one database from another without telling its password. */
export function databaseName({ databaseUrl }: Pick<DatabaseSettings, 'databaseUrl'>): string {
  if (!databaseUrl) return 'pglite'
  return `postgres ${createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16)}`
}
