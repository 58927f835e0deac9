import { type Db, migrate, openPostgres } from '@heyline/database'
import { findPostgres, openTestDb, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'

/** What a desk can run on, each migrated and of its own; Postgres only where it is installed. */
export const deskDatabases: readonly { name: string; open(): Promise<Db> }[] = [
  { name: 'PGlite', open: () => openTestDb().then(migrated) },
  ...(findPostgres() ? [{ name: 'Postgres', open: () => openOwnPostgres().then(migrated) }] : []),
]

async function migrated(db: Db): Promise<Db> {
  await migrate(db, { folder: new URL('../../../../supabase/', import.meta.url) })
  return db
}

async function openOwnPostgres(): Promise<Db> {
  const server = await startPostgres()
  const db = await openPostgres({ url: server.url, logger: pino({ level: 'silent' }) })
  return {
    kind: db.kind,
    query: (sql, parameters, options) => db.query(sql, parameters, options),
    exec: (sql) => db.exec(sql),
    transaction: (run, options) => db.transaction(run, options),
    listen: (channel, heard) => db.listen(channel, heard),
    close: async () => {
      await db.close()
      await server.stop()
    },
  }
}
