import type { Db, Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'

/**
 * A database whose time goes with this clock, so that leases and expiries pass without waiting: `now()` of every statement is as far ahead of the
 * real time as the clock has gone since. The defaults of columns have the real time. Processes may share it, also where it is a PGlite.
 */
export function clockedDb(db: Db, clock: Clock): Db {
  const start = clock.monotonic()
  const ahead = (sql: string) =>
    sql.replaceAll('now()', `(now() + ${clock.monotonic() - start} * interval '1 ms')`)
  const clocked = (queryable: Queryable): Queryable => ({
    query: (sql, parameters) => queryable.query(ahead(sql), parameters),
    exec: (sql) => queryable.exec(ahead(sql)),
  })
  return {
    ...clocked(db),
    kind: 'postgres',
    transaction: (run, options) => db.transaction((tx) => run(clocked(tx)), options),
    listen: (channel, heard) => db.listen(channel, heard),
    close: () => db.close(),
  }
}
