import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'
import { sweepUndo } from './visitor-undo.js'

export interface UndoRetentionOptions {
  db: Db
  logger: Logger
  clock?: Clock
}

/** Removes what can't be taken back any more, at once and every hour. Resolves with how to end it. */
export const keepUndoBounded = ({ db, logger, clock }: UndoRetentionOptions): (() => Promise<void>) =>
  everyHour({
    run: () => sweepUndo(db),
    onError: (err) => logger.error({ err }, 'changes that can not be taken back were not removed'),
    clock,
  })
