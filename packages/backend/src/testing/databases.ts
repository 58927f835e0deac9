import { type Db, openPostgres } from '@heyline/database'
import { findPostgres, openTestDb, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { it } from 'vitest'

/** A database of its own, which goes away with `close`. */
export interface TestDatabase {
  name: string
  open: () => Promise<Db>
}

const postgres = findPostgres()
// Each file of tests that asks for the databases counts what it leaves out.
if (!postgres) it.skip('the same on Postgres (left out: Postgres is not installed here)')

/** Both kinds of database, or PGlite alone where no Postgres is installed. */
export const DATABASES: readonly TestDatabase[] = [
  { name: 'PGlite', open: openTestDb },
  ...(postgres ? [{ name: 'Postgres', open: openOwnPostgres }] : []),
]

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
