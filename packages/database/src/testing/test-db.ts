import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import type { Db } from '../db/db.js'
import { openPglite } from '../pglite/open-pglite.js'
import { openReused } from './reused-pglite.js'
import { type Content, createTestDirectory } from './test-directory.js'

/** How a test opens its database. */
export interface TestDbOptions {
  /** As of `openPglite` and `openPostgres`. */
  patienceMs?: number
  /** Heyline's tables and first rows, unless nothing is asked for. */
  content?: Content
  /** No test has used it before: for what a session or a table keeps beside its rows. */
  isNew?: boolean
}

/** A PGlite of its own, which goes away with `close`. */
export async function openTestDb({
  content = 'migrated',
  isNew = false,
  ...options
}: TestDbOptions = {}): Promise<Db> {
  if (!isNew && content === 'migrated' && options.patienceMs === undefined) return openReused()
  const directory = await createTestDirectory(content)
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
  const db = await openPglite({ ...options, directory, logger: pino({ level: 'silent' }) }).catch(
    async (error: unknown) => {
      await remove()
      throw error
    },
  )
  return closingWith(db, remove)
}

/** The same database, which ends what was made for it when it is closed. */
export function closingWith(db: Db, end: () => Promise<void>): Db {
  return {
    kind: db.kind,
    query: (sql, parameters, options) => db.query(sql, parameters, options),
    exec: (sql) => db.exec(sql),
    transaction: (run, options) => db.transaction(run, options),
    ...(db.session && { session: db.session.bind(db) }),
    ...(db.snapshot && { snapshot: db.snapshot.bind(db) }),
    listen: (channel, heard) => db.listen(channel, heard),
    close: async () => {
      await db.close()
      await end()
    },
  }
}
