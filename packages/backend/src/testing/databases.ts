import { type Db, openPostgres } from '@heyline/database'
import { findPostgres, openTestDb, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'

/** A database of its own, which goes away with `close`. */
export interface TestDatabase {
  name: string
  open: () => Promise<Db>
}

/** Both kinds of database, or PGlite alone where no Postgres is installed. */
export const DATABASES: readonly TestDatabase[] = [
  { name: 'PGlite', open: openTestDb },
  ...(findPostgres() ? [{ name: 'Postgres', open: openOwnPostgres }] : []),
]

async function openOwnPostgres(): Promise<Db> {
  const server = await startPostgres()
  const db = await openPostgres({ url: server.url, logger: pino({ level: 'silent' }) })
  return {
    kind: db.kind,
    query: (sql, parameters) => db.query(sql, parameters),
    exec: (sql) => db.exec(sql),
    transaction: (run) => db.transaction(run),
    listen: (channel, heard) => db.listen(channel, heard),
    close: async () => {
      await db.close()
      await server.stop()
    },
  }
}
