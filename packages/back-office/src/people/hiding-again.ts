import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'
import { continueHidings } from './hiding.js'

export interface HidingAgainOptions {
  db: Db
  logger: Logger
  clock?: Clock
}

/**
 * Goes on, at once and every hour, with numbers of erased people that are to be taken out of what other people's calls tell: where that was
 * broken off, or they are to be looked for once more. Resolves with how to end it.
 */
export const keepHiding = ({ db, logger, clock }: HidingAgainOptions): (() => Promise<void>) =>
  everyHour({
    run: () => continueHidings(db),
    onError: (err) => logger.error({ err }, 'the number of an erased person is not yet hidden everywhere'),
    clock,
  })
