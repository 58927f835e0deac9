import type { Logger } from 'pino'
import type { Db } from '../db/db.js'
import { readLogin, warnOfRights } from './login.js'
import { checkDirectUrl, isTransactionPooler, NEEDS_DIRECT_URL } from './pooler.js'
import { PostgresDb } from './postgres-db.js'

export interface PostgresOptions {
  url: string
  /** Past a pooler in transaction mode that `url` leads through, to the same database. */
  directUrl?: string | undefined
  /** Most connections for statements; 10 unless given. Notifications and urgent statements have one more each. */
  connections?: number | undefined
  logger: Logger
  /** Longest that a statement may run, and that a transaction may idle, in ms; 5 s unless given, infinite for no limit. */
  patienceMs?: number
}

/**
 * Opens a Postgres (15 or newer) by its URL. Behind a pooler in transaction mode (PgBouncer, Supabase's port 6543) it needs a direct URL, too,
 * for what needs a session of its own: notifications, migrations, the building of indexes. Without one it works, and hears no
 * notifications; the log says what to do. The login should be no superuser: see `warnOfRights`.
 * @throws DatabaseError when it cannot be reached or refuses the login
 * @throws SettingError when the direct URL does not lead to the same database
 */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const { url, directUrl, logger } = options
  const isPooled = directUrl !== undefined || (await isTransactionPooler(url))
  if (directUrl !== undefined) await checkDirectUrl(url, directUrl)
  else if (isPooled) logger.warn(NEEDS_DIRECT_URL)
  const db = new PostgresDb({ ...options, isPooled })
  try {
    const login = await readLogin(db)
    logger.info(
      { postgres: login.version, login: login.name, ...(isPooled && { pooled: true }) },
      'database opened',
    )
    warnOfRights(login, logger)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
