import { Pool, type PoolClient } from 'pg'
import type { Logger } from 'pino'
import { DatabaseError } from '../db/database-error.js'
import {
  type Db,
  DEFAULT_PATIENCE_MS,
  type PoolFigures,
  type Queryable,
  type QueryOptions,
  type Result,
  type TransactionOptions,
} from '../db/db.js'
import { decodeResult } from '../db/rows.js'
import { PostgresListener } from './postgres-listener.js'
import { withSession } from './postgres-session.js'
import { PostgresTransaction } from './postgres-transaction.js'
import { isInTransaction, runScript, runStatement, sessionSettings } from './statement.js'

export interface PostgresDbOptions {
  url: string
  logger: Logger
  /** Longest that a statement may run, and that a transaction may idle, in ms. */
  patienceMs?: number
  /** How long `close` waits for statements under way before it cuts their connections, in ms. */
  closeGraceMs?: number
}

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 10_000

/** `Db` on a Postgres server: a pool of connections, and one more for notifications. */
export class PostgresDb implements Db {
  readonly kind = 'postgres'
  readonly #pool: Pool
  readonly #listener: PostgresListener
  readonly #options: PostgresDbOptions
  readonly #patienceMs: number
  readonly #busy = new Set<PoolClient>()
  readonly #transactions = new Set<PostgresTransaction>()
  #closing: Promise<void> | undefined

  constructor(options: PostgresDbOptions) {
    this.#options = options
    const patienceMs = options.patienceMs ?? DEFAULT_PATIENCE_MS
    this.#patienceMs = patienceMs
    this.#listener = new PostgresListener(options.url, options.logger)
    this.#pool = new Pool({
      connectionString: options.url,
      application_name: 'heyline',
      max: POOL_SIZE,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      onConnect: (client) => client.query(sessionSettings(patienceMs)),
    })
    // A connection that breaks while idle leaves the pool; one in use fails its statement. Neither may end the process.
    this.#pool.on('error', (error) =>
      // The driver's error carries its whole client, with the key that cancels queries: ours does not.
      options.logger.warn(
        { reason: DatabaseError.from(error).message },
        'an idle connection to Postgres broke',
      ),
    )
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
    { prepared = false }: QueryOptions = {},
  ): Promise<Result<Row>> {
    return decodeResult<Row>(await this.#alone((client) => runStatement(client, sql, parameters, prepared)))
  }

  async exec(sql: string): Promise<void> {
    await this.#alone((client) => runScript(client, sql))
  }

  async transaction<T>(
    run: (tx: Queryable) => Promise<T>,
    { patienceMs = this.#patienceMs }: TransactionOptions = {},
  ): Promise<T> {
    return await this.#withClient(async (client) => {
      const transaction = new PostgresTransaction(client, patienceMs, patienceMs !== this.#patienceMs)
      this.#transactions.add(transaction)
      try {
        return await transaction.run(run)
      } finally {
        this.#transactions.delete(transaction)
      }
    })
  }

  session<T>(run: (session: Queryable) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withSession(this.#options.url, run, {
      signal,
      cancel: (pid) => this.query('select pg_cancel_backend($1)', [pid]),
    })
  }

  pool(): PoolFigures {
    const { options, totalCount, idleCount, waitingCount } = this.#pool
    return { most: options.max, open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  async listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>> {
    return await this.#listener.listen(channel, heard)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const transaction of this.#transactions) transaction.abort(DatabaseError.stopped())
    const cut = setTimeout(() => {
      for (const client of this.#busy) void client.end()
    }, this.#options.closeGraceMs ?? 5_000)
    await Promise.all([this.#pool.end(), this.#listener.close()])
    clearTimeout(cut)
    this.#options.logger.info('database closed')
  }

  /** One statement outside of any transaction, on whichever connection is free. */
  #alone<T>(statement: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      const result = await statement(client)
      if (!isInTransaction(client)) return result
      throw new DatabaseError('A statement left a transaction open; it was rolled back. Use `transaction`.', {
        code: '25001',
      })
    })
  }

  /** Lends a connection. One that does not come back idle is dropped, so that nothing leaks to its next user. */
  async #withClient<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.#closing) throw DatabaseError.closed()
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#closing ? DatabaseError.closed() : DatabaseError.from(error)
    })
    this.#busy.add(client)
    try {
      return await use(client)
    } finally {
      this.#busy.delete(client)
      client.release(client.getTransactionStatus() !== 'I')
    }
  }
}
