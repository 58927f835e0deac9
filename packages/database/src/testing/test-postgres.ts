import { pino } from 'pino'
import type { Db } from '../db/db.js'
import { openPostgres } from '../postgres/open-postgres.js'
import { startPostgres } from './postgres-server.js'

/** A database on a Postgres of its own, which ends with `close`. Only where `findPostgres` finds one. */
export async function openTestPostgres(): Promise<Db> {
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
