import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import { Channels, channelName } from '../db/channels.js'
import { DatabaseError } from '../db/database-error.js'
import { AnswerLimit, cut } from './answer-limit.js'
import { newClient } from './client.js'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
/** How often it is looked whether the connection is still answered, and how long an answer may take, in ms. */
const CHECK_MS = 10_000
const PATIENCE_MS = 1_000

/**
 * The one connection that hears notifications, made with the first `listen`. When it breaks it comes back by itself and
 * listens again; what was notified meanwhile is lost, so listeners also look from time to time.
 */
export class PostgresListener {
  readonly #url: string
  readonly #logger: Logger
  readonly #channels: Channels
  readonly #closed = new AbortController()
  #client: Promise<Client> | undefined
  readonly #answers = new AnswerLimit(() => {})
  readonly #checks: NodeJS.Timeout
  #reconnecting = false
  /** Statements go one after another: the driver takes none while another runs. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(url: string, logger: Logger) {
    this.#url = url
    this.#logger = logger
    this.#channels = new Channels(logger)
    this.#checks = setInterval(() => this.check(), CHECK_MS).unref()
  }

  async listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>> {
    const remove = this.#channels.add(channel, heard)
    try {
      const client = await this.#connected()
      await this.#run(client, `listen ${channelName(channel)}`)
    } catch (error) {
      remove()
      throw DatabaseError.from(error)
    }
    return async () => {
      remove()
      if (this.#channels.has(channel) || !this.#client) return
      const client = await this.#client.catch(() => undefined)
      // A connection that is gone listens to nothing.
      if (client) await this.#run(client, `unlisten ${channelName(channel)}`).catch(() => {})
    }
  }

  /** Has a connection cut that is not answered. It comes back by itself. */
  check(): void {
    this.#client?.then((client) => this.#run(client, 'select')).catch(() => {})
  }

  /** Ends the connection without a word. */
  cut(): void {
    this.#client?.then(cut).catch(() => {})
  }

  async close(): Promise<void> {
    this.#closed.abort()
    clearInterval(this.#checks)
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  #run(client: Client, sql: string): Promise<unknown> {
    const result = this.#last.then(() => this.#answers.during(client, PATIENCE_MS, () => client.query(sql)))
    this.#last = result.catch(() => {})
    return result
  }

  #connected(): Promise<Client> {
    if (this.#closed.signal.aborted) return Promise.reject(DatabaseError.closed())
    if (!this.#client) {
      const client = this.#connect()
      this.#client = client
      client.catch(() => {
        if (this.#client === client) this.#client = undefined
      })
    }
    return this.#client
  }

  async #connect(): Promise<Client> {
    const client = newClient(this.#url, 'heyline-listen')
    client.on('notification', ({ channel, payload }) => this.#channels.deliver(channel, payload ?? ''))
    try {
      await client.connect()
      for (const channel of this.#channels.names())
        await this.#answers.during(client, PATIENCE_MS, () => client.query(`listen ${channelName(channel)}`))
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    client.once('end', () => this.#lost())
    return client
  }

  #lost(): void {
    this.#client = undefined
    if (this.#closed.signal.aborted || this.#reconnecting) return
    this.#logger.warn('the connection for notifications broke; connecting again')
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    this.#reconnecting = true
    for (let wait = FIRST_WAIT_MS; !this.#closed.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        await delay(wait, undefined, { signal: this.#closed.signal })
        await this.#connected()
        this.#logger.info('notifications are heard again')
        break
      } catch {
        // Not yet there, or closed meanwhile: the loop's condition tells.
      }
    }
    this.#reconnecting = false
  }
}
