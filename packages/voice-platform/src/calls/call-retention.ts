import { type Db, isDateSure } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'
import { UNCONFIRMED } from './unconfirmed.js'

/** How long the platform keeps its records of calls that have ended, in days. What is not given is kept. */
export interface CallKeeping {
  /** What was said, and what the call was told: messages, transcript, assistant, overrides, names. */
  textDays?: number
  /** The rest of the record, with the customer's number. */
  recordDays?: number
}

export interface CallRetentionOptions {
  db: Db
  keeping: CallKeeping
  clock: Clock
  logger: Logger
}

/** Most rows that one statement takes, so that none takes long. */
const MOST = 200

/** Ended calls of more than so many days ago, the oldest first. Another process takes others. */
const old = (condition: string): string => `
  select id from voice_platform.calls
  where status = 'ended' and ${condition} and created_at < now() - $1::float8 * interval '1 day'
  order by created_at limit ${MOST} for update skip locked`

/** What identifies no person stays: the times, the assistant's id, the reason of the end, and what a view of the call needs. */
const FORGET_TEXTS = `
  update voice_platform.calls set
    messages = '[]', transcript = null, analysis = null, forwarded_to = null, overrides = null, assistant_given = null, name = null,
    script = null, activations = null, variables = null,
    assistant = case when assistant ? 'artifactPlan'
      then jsonb_build_object('artifactPlan', assistant -> 'artifactPlan') else '{}' end,
    customer = case when customer ? 'number' then jsonb_build_object('number', customer -> 'number') end,
    texts_removed_at = now()
  where id in (${old('texts_removed_at is null')})`

const FORGET_RECORDS = `delete from voice_platform.calls where id in (${old('true')})`

/** By SIP anybody makes up calls to us, 86,400 a day: those that nobody has confirmed hold no words, and are kept no longer than this, in days. */
const UNCONFIRMED_DAYS = 30
const FORGET_UNCONFIRMED = `delete from voice_platform.calls where id in (${old(`ended_reason = '${UNCONFIRMED}'`)})`

/** Sessions hold what was said, tickets what was told of it, and test runs what models wrote to each other. */
const FORGET_RESOURCES = `
  delete from voice_platform.resources where id in (
    select id from voice_platform.resources
    where family in ('session', 'support-ticket', 'test-suite-run') and updated_at < now() - $1::float8 * interval '1 day'
    order by updated_at limit ${MOST} for update skip locked)`

/** Entries of the log, the oldest first, however many days calls are kept. */
const LOG_DAYS = 14
const FORGET_LOGS = `
  delete from voice_platform.logs where id in (
    select id from voice_platform.logs where created_at < now() - $1::float8 * interval '1 day'
    order by created_at limit ${MOST} for update skip locked)`

/** Most entries of the log. */
const MOST_LOGS = 200_000
const FORGET_MORE_LOGS = `
  delete from voice_platform.logs where id in (
    select id from voice_platform.logs
    where id <= (select id from voice_platform.logs order by id desc offset $1::int limit 1)
    order by id limit ${MOST} for update skip locked)`

const FORGET_CHATS = `
  delete from voice_platform.chats where id in (
    select id from voice_platform.chats where created_at < now() - $1::float8 * interval '1 day'
    order by created_at limit ${MOST} for update skip locked)`

/** Once an hour removes what was kept for long enough. Processes share the work. */
export class CallRetention {
  readonly #options: CallRetentionOptions
  #end = async () => {}
  #closed = false

  constructor(options: CallRetentionOptions) {
    this.#options = options
  }

  start(): void {
    const { clock, logger } = this.#options
    this.#end = everyHour({
      run: () => this.run(),
      onError: (err) => logger.error({ err }, 'old calls could not be deleted; the next try is in an hour'),
      clock,
    })
  }

  /** One round. */
  async run(): Promise<void> {
    const { db, logger } = this.#options
    const isSure = await isDateSure(db, logger)
    const keeping = isSure ? this.#options.keeping : {}
    const { recordDays } = keeping
    const records =
      (await this.#all(FORGET_RECORDS, recordDays)) +
      (await this.#all(FORGET_UNCONFIRMED, recordDays && Math.min(recordDays, UNCONFIRMED_DAYS)))
    const texts = await this.#all(FORGET_TEXTS, keeping.textDays)
    const resources = await this.#all(FORGET_RESOURCES, keeping.textDays)
    const oldLogs = await this.#all(FORGET_LOGS, isSure ? LOG_DAYS : undefined)
    const logs = oldLogs + (await this.#all(FORGET_MORE_LOGS, MOST_LOGS))
    const chats = await this.#all(FORGET_CHATS, keeping.textDays)
    if (records + texts + resources + logs + chats === 0) return
    logger.info({ records, texts, resources, logs, chats }, 'old calls were deleted')
    // So that new rows take the place of the removed ones. A Postgres does that by itself; PGlite has nobody who would.
    if (db.kind === 'pglite' && !this.#closed) await db.query('vacuum voice_platform.calls')
  }

  /** Resolves when the present round is over; none begins after that. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  async #all(sql: string, bound: number | undefined): Promise<number> {
    if (bound === undefined) return 0
    let taken = 0
    while (!this.#closed) {
      const { rowCount } = await this.#options.db.query(sql, [bound])
      taken += rowCount
      if (rowCount < MOST) break
    }
    return taken
  }
}
