import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import type { Db } from '../db.js'
import { openPglite } from '../pglite/open-pglite.js'
import { createTestDirectory } from './test-directory.js'

/** A PGlite of its own in a fresh temporary directory, which goes away with `close`. */
export async function openTestDb(): Promise<Db> {
  const directory = await createTestDirectory()
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
  const db = await openPglite({ directory, logger: pino({ level: 'silent' }) }).catch(
    async (error: unknown) => {
      await remove()
      throw error
    },
  )
  return {
    kind: db.kind,
    query: (sql, parameters) => db.query(sql, parameters),
    exec: (sql) => db.exec(sql),
    transaction: (run) => db.transaction(run),
    listen: (channel, heard) => db.listen(channel, heard),
    close: async () => {
      await db.close()
      await remove()
    },
  }
}
