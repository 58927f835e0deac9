import type { Logger } from 'pino'
import type { Db } from '../db/db.js'
import { readLogin, warnOfRights } from './login.js'
import { PostgresDb } from './postgres-db.js'

export interface PostgresOptions {
  url: string
  logger: Logger
  /** Longest that a statement may run, and that a transaction may idle, in ms; 5 s unless given, infinite for no limit. */
  patienceMs?: number
}

/**
 * Opens a Postgres (15 or newer) by its URL. It must be a connection with a session of its own: notifications do not
 * pass a pooler in transaction mode (Supabase's port 6543). The login should be no superuser: see `warnOfRights`.
 * @throws DatabaseError when it cannot be reached or refuses the login
 */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const { logger } = options
  const db = new PostgresDb(options)
  try {
    const login = await readLogin(db)
    logger.info({ version: login.version, login: login.name }, 'database opened')
    warnOfRights(login, logger)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
