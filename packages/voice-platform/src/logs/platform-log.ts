import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { LogEntry } from './log-entry.js'

/** Entries wait so long for others that are written with them, in milliseconds. */
const WAIT_MS = 1_000
/** Most entries that wait. Further ones are not kept. */
const MOST_WAITING = 1_000
/** Longest text of an entry. */
const LONGEST = 300

const WRITE = `
  insert into voice_platform.logs (created_at, type, webhook_type, resource, method, path, status, duration_seconds, error, call_id,
    assistant_id, phone_number_id, squad_id)
  select to_timestamp(e.at / 1000.0), e.type, e."webhookType", e.resource, e.method, left(e.path, ${LONGEST}), e.status, e.seconds,
    left(e.error, ${LONGEST}), e."callId", e."assistantId", e."phoneNumberId", e."squadId"
  from jsonb_to_recordset($1::jsonb) e (at float8, type text, "webhookType" text, resource text, method text, path text, status integer,
    seconds float8, error text, "callId" uuid, "assistantId" uuid, "phoneNumberId" uuid, "squadId" uuid)`

/** Writes down what the platform is asked and tells, once a second. Nobody waits for it, and what cannot be written is given up. */
export class PlatformLog {
  readonly #options: { db: Db; clock: Clock; logger: Logger }
  #waiting: LogEntry[] = []
  #stopTimer: (() => void) | undefined
  #writing: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: { db: Db; clock: Clock; logger: Logger }) {
    this.#options = options
  }

  /** Never throws. */
  add(entry: LogEntry): void {
    if (this.#closed || this.#waiting.length >= MOST_WAITING) return
    this.#waiting.push(entry)
    this.#stopTimer ??= this.#options.clock.after(WAIT_MS, () => {
      this.#stopTimer = undefined
      void this.flush()
    })
  }

  /** Writes what waits. Never rejects. */
  flush(): Promise<void> {
    const entries = this.#waiting
    this.#waiting = []
    if (entries.length === 0) return this.#writing
    const { db, logger } = this.#options
    this.#writing = this.#writing
      .then(() => db.query(WRITE, [entries]))
      .then(
        () => undefined,
        (error: unknown) => logger.warn({ err: error, entries: entries.length }, 'platform log not written'),
      )
    return this.#writing
  }

  /** Writes what waits, and takes nothing more. */
  async close(): Promise<void> {
    this.#stopTimer?.()
    await this.flush()
    this.#closed = true
  }
}
