import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { sweepUndo } from './visitor-undo.js'

export interface UndoRetentionOptions {
  db: Db
  logger: Logger
  clock?: Clock
}

const HOUR_MS = 3_600_000

/** Removes what can't be taken back any more, at once and every hour. Resolves with how to end it. */
export function keepUndoBounded({
  db,
  logger,
  clock = systemClock,
}: UndoRetentionOptions): () => Promise<void> {
  let isClosed = false
  let cancel = () => {}
  let running = Promise.resolve()
  const sweep = () => {
    running = sweepUndo(db)
      .catch((err: unknown) => logger.error({ err }, 'changes that can not be taken back were not removed'))
      .then(() => {
        if (!isClosed) cancel = clock.after(HOUR_MS, sweep)
      })
  }
  sweep()
  return async () => {
    isClosed = true
    cancel()
    await running
  }
}
