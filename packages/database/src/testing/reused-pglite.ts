import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import { DatabaseError } from '../db/database-error.js'
import type { Db, Queryable } from '../db/db.js'
import { openPglite } from '../pglite/open-pglite.js'
import { lookAt, type Pristine, restore } from './pristine.js'
import { createTestDirectory } from './test-directory.js'

/** A migrated PGlite that tests have one after the other. */
interface Reused {
  db: Db
  end(): Promise<void>
}

/** Most that wait for the next test: each has a hundred megabytes. */
const MOST_IDLE = 2

const idle: Reused[] = []
/** All of them are made of one template. */
let pristine: Promise<Pristine> | undefined

/**
 * A migrated PGlite like a new one. Starting one takes a second of a processor, and giving one its first rows back a twentieth. Where a
 * test has changed more than rows, or leaves work behind, its database is not used again.
 */
export async function openReused(): Promise<Db> {
  for (let last = idle.pop(); last; last = idle.pop()) {
    const { db } = last
    const isRestored = pristine && (await restore(db, await pristine).catch(() => false))
    if (isRestored) return lent(last)
    await last.end()
  }
  return lent(await start())
}

async function start(): Promise<Reused> {
  const directory = await createTestDirectory('migrated')
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const db = await openPglite({ directory, logger: pino({ level: 'silent' }) })
    pristine ??= lookAt(db)
    await pristine
    return { db, end: () => db.close().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The database for one test: closed, it does nothing any more, and is kept for the next one if all its work is done. */
function lent(reused: Reused): Db {
  const { db } = reused
  const snapshot = db.snapshot?.bind(db)
  let pending = 0
  let closed: Promise<void> | undefined
  const stops = new Set<() => Promise<void>>()
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw DatabaseError.closed()
    pending += 1
    try {
      return await work()
    } finally {
      pending -= 1
    }
  }
  const close = async () => {
    if (pending > 0 || idle.length >= MOST_IDLE) return reused.end()
    await Promise.all([...stops].map((stop) => stop()))
    idle.push(reused)
  }
  return {
    kind: db.kind,
    query: <Row>(...given: Parameters<Queryable['query']>) => asked(() => db.query<Row>(...given)),
    exec: (sql) => asked(() => db.exec(sql)),
    transaction: (run, options) => asked(() => db.transaction(run, options)),
    ...(snapshot && { snapshot: () => asked(snapshot) }),
    listen: (channel, heard) =>
      asked(async () => {
        const stop = await db.listen(channel, heard)
        const stopOnce = async () => {
          if (stops.delete(stopOnce)) await stop()
        }
        stops.add(stopOnce)
        return stopOnce
      }),
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
