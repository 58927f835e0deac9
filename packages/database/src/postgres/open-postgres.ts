import type { Logger } from 'pino'
import type { Db } from '../db.js'
import { PostgresDb } from './postgres-db.js'

/**
 * Opens a Postgres (15 or newer) by its URL. It must be a connection with a session of its own: notifications do not
 * pass a pooler in transaction mode (Supabase's port 6543).
 * @throws DatabaseError when it cannot be reached or refuses the login
 */
export async function openPostgres({ url, logger }: { url: string; logger: Logger }): Promise<Db> {
  const db = new PostgresDb({ url, logger })
  try {
    const { rows } = await db.query<{ version: string }>(
      "select current_setting('server_version') as version",
    )
    logger.info({ version: rows[0]?.version }, 'database opened')
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
