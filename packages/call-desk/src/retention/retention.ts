import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorCode } from '../run/error-code.js'
import { Loop } from '../run/loop.js'

/** Most rows that one statement takes, so that none takes long. */
const MOST = 1000

/** Removes transcripts and summaries of calls that were asked for more than so many days ago. Resolves with how many calls had any. */
export async function forgetTranscripts(db: Db, days: number): Promise<number> {
  let forgotten = 0
  for (;;) {
    const { rowCount } = await db.query(
      `update call_desk.call_requests set transcript = null, summary = null
       where id in (
         select id from call_desk.call_requests
         where created_at < now() - $1::int * interval '1 day' and (transcript is not null or summary is not null)
         limit ${MOST})`,
      [days],
    )
    forgotten += rowCount
    if (rowCount < MOST) return forgotten
  }
}

/** What of the inbox is old enough. */
const OLD = [
  "done_at < now() - interval '7 days'",
  "done_at is null and run_at = 'infinity' and received_at < now() - interval '30 days'",
]

/**
 * Removes what was kept for long enough of the inbox: the ids of messages, by which a repetition is known (7 days), and messages that
 * were given up (30 days).
 */
export async function cleanUp(db: Db): Promise<void> {
  for (const condition of OLD) {
    const sql = `delete from call_desk.inbox where id in (
      select id from call_desk.inbox where ${condition} limit ${MOST})`
    while ((await db.query(sql)).rowCount === MOST) {
      // There may be more.
    }
  }
}

export interface RetentionOptions {
  db: Db
  /** How long the words of a call are kept, in days. */
  transcriptDays: number
  logger: Logger
}

const HOUR_MS = 3_600_000

/** Once an hour removes what was kept for long enough: what was said in calls, while what they were and cost stays, and the inbox's past. */
export class Retention {
  readonly #loop: Loop

  constructor({ db, transcriptDays, logger }: RetentionOptions) {
    this.#loop = new Loop({
      everyMs: HOUR_MS,
      async run() {
        await cleanUp(db)
        const count = await forgetTranscripts(db, transcriptDays)
        if (count > 0) logger.info({ count }, 'old transcripts were deleted')
      },
      onError: (error) =>
        logger.error(
          { reason: errorCode(error) },
          'old records could not be deleted; the next try is in an hour',
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
