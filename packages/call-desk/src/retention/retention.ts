import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
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

const HOUR_MS = 3_600_000

/** Once an hour removes what was kept for long enough, a few rows at a time. Processes share the work. */
export class Retention {
  readonly #loop: Loop

  constructor({ db, retention, gate, webGate, logger }: RetentionOptions) {
    const days = keptDays({ ...DEFAULT_RETENTION, ...retention }, gate, webGate)
    this.#loop = new Loop({
      everyMs: HOUR_MS,
      async run() {
        const cleaned = await cleanUp(db)
        const removed = {
          transcripts: await forgetTranscripts(db, days.transcripts),
          addresses: await forgetAddresses(db, days.addresses),
          refused: await forgetRefused(db, days.refused),
          records: await forgetRecords(db, days.records),
          campaigns: await forgetCampaigns(db, days.records),
          audit: await forgetAudit(db, days.audit),
        }
        const isRemoved = Object.values(removed).some((count) => count > 0)
        if (isRemoved) logger.info(removed, 'old records were deleted')
        if (isRemoved || cleaned > 0) await reuseSpace(db)
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
