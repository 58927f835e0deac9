import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import { Channels, channelName } from '../db/channels.js'
import { DatabaseError } from '../db/database-error.js'
import { newClient } from './client.js'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

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
  #reconnecting = false
  /** Statements go one after another: the driver takes none while another runs. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(url: string, logger: Logger) {
    this.#url = url
    this.#logger = logger
    this.#channels = new Channels(logger)
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

  async close(): Promise<void> {
    this.#closed.abort()
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  #run(client: Client, sql: string): Promise<unknown> {
    const result = this.#last.then(() => client.query(sql))
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
      for (const channel of this.#channels.names()) await client.query(`listen ${channelName(channel)}`)
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
