import { type Db, isDateSure } from '@heyline/database'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'
import type { GateSettings } from '../gate/gate-settings.js'
import { errorCode } from '../run/error-code.js'
import type { WebGateSettings } from '../web-calls/web-gate-settings.js'
import {
  cleanUp,
  forgetAddresses,
  forgetAudit,
  forgetCampaigns,
  forgetRecords,
  forgetRefused,
  forgetTranscripts,
  forgetUnconfirmed,
  reuseSpace,
} from './old-rows.js'
import { DEFAULT_RETENTION, keptDays, type RetentionDays } from './retention-days.js'

export interface RetentionOptions {
  db: Db
  /** What is not given is as in `DEFAULT_RETENTION`. */
  retention?: Partial<RetentionDays>
  /** Its limits keep what they count. */
  gate: GateSettings
  webGate: WebGateSettings
  logger: Logger
}

/** Once an hour removes what was kept for long enough, a few rows at a time. Processes share the work. */
export class Retention {
  readonly #db: Db
  readonly #days: RetentionDays
  readonly #logger: Logger
  readonly #closing = new AbortController()
  #end = async () => {}

  constructor({ db, retention, gate, webGate, logger }: RetentionOptions) {
    this.#db = db
    this.#days = keptDays({ ...DEFAULT_RETENTION, ...retention }, gate, webGate)
    this.#logger = logger
  }

  start(): void {
    this.#end = everyHour({
      run: () => this.run(),
      onError: (error) =>
        this.#logger.error(
          { reason: errorCode(error) },
          'old records could not be deleted; the next try is in an hour',
        ),
    })
  }

  /** One round. */
  async run(): Promise<void> {
    const { signal } = this.#closing
    const db = this.#db
    const days = this.#days
    if (!(await isDateSure(db, this.#logger))) return
    const cleaned = await cleanUp(db, signal)
    // Rows that go as a whole go first: nothing is taken out of them before.
    const removed = {
      refused: await forgetRefused(db, days.refused, signal),
      unconfirmed: await forgetUnconfirmed(db, days.refused, signal),
      records: await forgetRecords(db, days.records, signal),
      transcripts: await forgetTranscripts(db, days.transcripts, signal),
      addresses: await forgetAddresses(db, days.addresses, signal),
      campaigns: await forgetCampaigns(db, days.records, signal),
      audit: await forgetAudit(db, days.audit, signal),
    }
    const isRemoved = Object.values(removed).some((count) => count > 0)
    if (isRemoved) this.#logger.info(removed, 'old records were deleted')
    if (isRemoved || cleaned > 0) await reuseSpace(db, signal)
  }

  /** Resolves when the statement that is under way has ended. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#end()
  }
}
