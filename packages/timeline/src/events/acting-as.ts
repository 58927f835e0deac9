import type { Db } from '@heyline/database'
import { actAs } from './record-event.js'

/** The same database, each of whose transactions says who does it. Single statements don't. */
export const actingAs = (db: Db, actor: string): Db => ({
  kind: db.kind,
  query: (...statement) => db.query(...statement),
  exec: (sql) => db.exec(sql),
  transaction: (run, options) =>
    db.transaction(async (tx) => {
      await actAs(tx, actor)
      return run(tx)
    }, options),
  listen: (...channel) => db.listen(...channel),
  close: () => db.close(),
})
