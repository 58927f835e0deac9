import type { Logger } from 'pino'
import { Channels, channelName } from '../channels.js'
import { DatabaseError } from '../database-error.js'
import type { Db, Queryable, Result } from '../db.js'
import { encodeParameters } from '../parameters.js'
import { decodeResult } from '../rows.js'
import { Engine } from './engine.js'
import { PgliteTransaction } from './pglite-transaction.js'
import { Turnstile } from './turnstile.js'

export interface PgliteDbOptions {
  directory: string
  logger: Logger
  /** How long `close` waits for statements under way before it ends the thread, in ms. */
  closeGraceMs?: number
  /** Called once, when the engine is gone: the directory is free. */
  released(): void
}

/**
 * `Db` on PGlite in its worker thread. PGlite has one session: callers pass a turnstile before they post a statement,
 * and a transaction keeps it until its end is posted. The engine answers in order, so nobody waits for another's answer.
 */
export class PgliteDb implements Db {
  readonly kind = 'pglite'
  readonly #engine: Engine
  readonly #channels: Channels
  readonly #turnstile = new Turnstile()
  readonly #options: PgliteDbOptions
  #current: PgliteTransaction | undefined
  #closing: Promise<void> | undefined

  private constructor(engine: Engine, channels: Channels, options: PgliteDbOptions) {
    this.#engine = engine
    this.#channels = channels
    this.#options = options
  }

  static async open(options: PgliteDbOptions): Promise<{ db: PgliteDb; created: boolean }> {
    const channels = new Channels(options.logger)
    let db: PgliteDb | undefined
    const { engine, created } = await Engine.start(options.directory, {
      notification: (channel, payload) => channels.deliver(channel, payload),
      ended: (cause) => {
        if (db) db.#ended(cause)
      },
    })
    db = new PgliteDb(engine, channels, options)
    return { db, created }
  }

  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Result<Row>> {
    const encoded = encodeParameters(parameters)
    return decodeResult<Row>(await this.#post(() => this.#engine.run(sql, encoded, 'outside')))
  }

  async exec(sql: string): Promise<void> {
    await this.#post(() => this.#engine.run(sql, null, 'outside'))
  }

  async transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    const leave = this.#turnstile.tryEnter() ?? (await this.#turnstile.enter())
    const transaction = new PgliteTransaction(this.#engine)
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

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#current?.abort(DatabaseError.stopped())
    await this.#engine.close(this.#options.closeGraceMs ?? 5_000)
    this.#options.logger.info('database closed')
  }

  /** Posts one statement when it is its turn; the turn ends with the posting, not with the answer. */
  async #post<T>(post: () => Promise<T>): Promise<T> {
    const leave = this.#turnstile.tryEnter() ?? (await this.#turnstile.enter())
    try {
      this.#assertOpen()
      return await this.#leaving(post(), leave)
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
    this.#options.released()
  }
}
