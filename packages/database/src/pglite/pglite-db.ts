import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { WaitingLine } from '@heyline/kit/waiting-line'
import type { Logger } from 'pino'
import { Channels, channelName } from '../db/channels.js'
import { DatabaseError } from '../db/database-error.js'
import {
  type Db,
  DEFAULT_PATIENCE_MS,
  type Queryable,
  type QueryOptions,
  type Result,
  type Snapshot,
  type TransactionOptions,
} from '../db/db.js'
import { encodeParameters } from '../db/parameters.js'
import { PreparedNames } from '../db/prepared-names.js'
import { decodeResult, type RawResult } from '../db/rows.js'
import { FILES } from '../directory/directory-files.js'
import type { Work } from './engine-message.js'
import { PgliteTransaction } from './pglite-transaction.js'
import { Session } from './session.js'

export interface PgliteDbOptions {
  directory: string
  logger: Logger
  /** Longest that a statement may run, and that a transaction may idle, in ms. */
  patienceMs?: number
  /** How long `close` waits for statements under way before it ends the thread, in ms. */
  closeGraceMs?: number
  /** Called once, when the engine is gone: the directory is free. */
  onReleased(): void
}

/**
 * `Db` on PGlite in its worker thread. PGlite has one session: callers wait in line before they post a statement,
 * and a transaction keeps it until its end is posted. The engine answers in order, so nobody waits for another's answer.
 */
export class PgliteDb implements Db {
  readonly kind = 'pglite'
  readonly #session: Session
  readonly #channels: Channels
  readonly #line = new WaitingLine({ atOnce: 1 })
  readonly #options: PgliteDbOptions
  readonly #patienceMs: number
  readonly #names = new PreparedNames()
  #current: PgliteTransaction | undefined
  #closing: Promise<void> | undefined

  private constructor(session: Session, channels: Channels, options: PgliteDbOptions) {
    this.#session = session
    this.#channels = channels
    this.#options = options
    this.#patienceMs = options.patienceMs ?? DEFAULT_PATIENCE_MS
  }

  static async open(options: PgliteDbOptions): Promise<{ db: PgliteDb; created: boolean }> {
    const { directory, logger } = options
    const channels = new Channels(logger)
    let db: PgliteDb | undefined
    const { session, created } = await Session.open({
      directory,
      logger,
      onNotification: (channel, payload) => channels.deliver(channel, payload),
      greeting: () => channels.names().map((channel) => `listen ${channelName(channel)}`),
      onEnded: (cause) => {
        if (db) db.#ended(cause)
      },
    })
    db = new PgliteDb(session, channels, options)
    return { db, created }
  }

  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
    { prepared = false, patienceMs = this.#patienceMs }: QueryOptions = {},
  ): Promise<Result<Row>> {
    const encoded = encodeParameters(parameters)
    return await decodeResult<Row>(
      await this.#post(
        {
          type: 'run',
          sql,
          parameters: encoded,
          standing: 'outside',
          name: prepared ? this.#names.of(sql) : undefined,
        },
        patienceMs,
      ),
    )
  }

  async exec(sql: string): Promise<void> {
    await this.#post({ type: 'run', sql, parameters: null, standing: 'outside' }, this.#patienceMs)
  }

  async transaction<T>(
    run: (tx: Queryable) => Promise<T>,
    { patienceMs = this.#patienceMs, idleMs = patienceMs }: TransactionOptions = {},
  ): Promise<T> {
    const leave = this.#line.tryEnter() ?? (await this.#line.enter())
    const transaction = new PgliteTransaction(this.#session, this.#names, { patienceMs, idleMs })
    try {
      this.#assertOpen()
      this.#current = transaction
      return await transaction.run(run, leave)
    } finally {
      if (this.#current === transaction) this.#current = undefined
      leave()
    }
  }

  async listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>> {
    // Subscribed before LISTEN is acknowledged, so that nothing between the two is missed.
    const remove = this.#channels.add(channel, heard)
    try {
      await this.exec(`listen ${channelName(channel)}`)
    } catch (error) {
      remove()
      throw error
    }
    return async () => {
      remove()
      if (this.#channels.has(channel) || this.#closing) return
      await this.exec(`unlisten ${channelName(channel)}`)
    }
  }

  async snapshot(): Promise<Snapshot> {
    const directory = join(this.#options.directory, FILES.snapshot + randomBytes(4).toString('hex'))
    const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
    try {
      await this.#post({ type: 'snapshot', directory }, Number.POSITIVE_INFINITY)
      return { directory, remove }
    } catch (error) {
      await remove()
      throw error
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#current?.abort(DatabaseError.stopped())
    await this.#session.close(this.#options.closeGraceMs ?? 5_000)
    this.#options.logger.info('database closed')
  }

  /** Posts one piece of work when it is its turn; the turn ends with the posting, not with the answer. */
  async #post(work: Work, patienceMs: number): Promise<RawResult> {
    const leave = this.#line.tryEnter() ?? (await this.#line.enter())
    try {
      this.#assertOpen()
      return await this.#leaving(this.#session.run(work, { patienceMs }), leave)
    } finally {
      leave()
    }
  }

  #leaving<T>(posted: Promise<T>, leave: () => void): Promise<T> {
    leave()
    return posted
  }

  #assertOpen(): void {
    if (this.#closing) throw DatabaseError.closed()
  }

  #ended(cause: Error | undefined): void {
    this.#current?.abort(DatabaseError.stopped(cause))
    if (cause && !this.#closing) this.#options.logger.error({ err: cause }, 'the database stopped')
    this.#options.onReleased()
  }
}
