import { Loop } from '@heyline/kit/loop'
import type { Logger } from 'pino'
import type { Db } from '../db/db.js'

/** The log is cut when this much of it is newer than the last checkpoint, in bytes: a start that has to read it takes a second longer. */
const MOST_LOG = 64_000_000
const LOOK_MS = 10_000

/**
 * Has PGlite write what its log holds into the tables' files, so that the log can go: it would keep everything that was ever written, and each
 * start after a crash would read all of it. A Postgres has a process for that; PGlite has nobody who would. Resolves with whether it was time.
 * Everybody else waits meanwhile, about 50 ms.
 */
export async function shortenLog(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ isLong: boolean }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${MOST_LOG} as "isLong" from pg_control_checkpoint()`,
  )
  if (!rows[0]?.isLong) return false
  await db.query('checkpoint')
  return true
}

/** Looks every ten seconds whether PGlite's log is to be cut. Nothing happens on anything else. Returns how to end it. */
export function keepLogShort(db: Db, logger: Logger): () => Promise<void> {
  if (db.kind !== 'pglite') return async () => {}
  const loop = new Loop({
    everyMs: LOOK_MS,
    run: async () => void (await shortenLog(db)),
    onError: (err) => logger.warn({ err }, 'PGlite could not cut its log; the next try is in ten seconds'),
  })
  loop.start()
  return () => loop.close()
}
