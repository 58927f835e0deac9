import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.js'
import { Loop } from '../loop.js'
import { cleanUp } from './clean-up.js'
import { forgetWords } from './forget-words.js'

export interface RetentionOptions {
  db: Db
  /** How long the words of a call are kept, in days. */
  transcriptDays: number
  logger: Logger
}

const hourMs = 3_600_000

/** Once an hour removes what was kept for long enough: what was said in calls, while what they were and cost stays, and the inbox's past. */
export class Retention {
  readonly #loop: Loop

  constructor({ db, transcriptDays, logger }: RetentionOptions) {
    this.#loop = new Loop({
      everyMs: hourMs,
      async run() {
        await cleanUp(db)
        const count = await forgetWords(db, transcriptDays)
        if (count > 0) logger.info({ count }, 'transcripts were old enough to be forgotten')
      },
      failed: (error) =>
        logger.error(
          { reason: errorCode(error) },
          'what was kept for long enough could not be removed; tried again in an hour',
        ),
    })
  }

  start(): void {
    this.#loop.start()
  }

  close(): Promise<void> {
    return this.#loop.close()
  }
}
