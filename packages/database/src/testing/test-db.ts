import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import type { Db } from '../db/db.js'
import { openPglite } from '../pglite/open-pglite.js'
import { createTestDirectory } from './test-directory.js'

/** A PGlite of its own in a fresh temporary directory, which goes away with `close`. */
export async function openTestDb(options: { patienceMs?: number } = {}): Promise<Db> {
  const directory = await createTestDirectory()
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
  const db = await openPglite({ ...options, directory, logger: pino({ level: 'silent' }) }).catch(
    async (error: unknown) => {
      await remove()
      throw error
    },
  )
  return {
    kind: db.kind,
    query: (sql, parameters, options) => db.query(sql, parameters, options),
    exec: (sql) => db.exec(sql),
    transaction: (run, own) => db.transaction(run, own),
    ...(db.snapshot && { snapshot: db.snapshot.bind(db) }),
    listen: (channel, heard) => db.listen(channel, heard),
    close: async () => {
      await db.close()
      await remove()
    },
  }
}
