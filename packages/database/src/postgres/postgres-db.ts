import { type Client, type ClientBase, Pool, type PoolClient } from 'pg'
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
import { AnswerLimit, cut } from './answer-limit.js'
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS, newClient } from './client.js'
import { NEEDS_DIRECT_URL } from './pooler.js'
import { PostgresListener } from './postgres-listener.js'
import { withSession } from './postgres-session.js'
import { PostgresTransaction, type PostgresTransactionOptions } from './postgres-transaction.js'
import {
  beginWithSettings,
  isInTransaction,
  limits,
  runScript,
  runStatement,
  sessionSettings,
} from './statement.js'

export interface PostgresDbOptions {
  url: string
  /** Past the pooler that `url` leads through. */
  directUrl?: string | undefined
  /**
   * The sessions of `url` belong to others, too, between two transactions: nothing that is set, prepared, locked or listened to there holds
   * for longer than one.
   */
  isPooled?: boolean
  /** Most connections for statements. */
  connections?: number | undefined
  logger: Logger
  /** Longest that a statement may run, and that a transaction may idle, in ms. */
  patienceMs?: number
  /** How long `close` waits for statements under way before it cuts their connections, in ms. */
  closeGraceMs?: number
}

const ACTIVE_TRANSACTION = '25001'
const MOST_CONNECTIONS = 10
/** Between two lines about connections that broke in one way, in ms. */
const SILENT_MS = 60_000

/** `Db` on a Postgres server: a pool of connections, one more for urgent statements, and one for notifications. */
export class PostgresDb implements Db {
  readonly kind = 'postgres'
  readonly #pool: Pool
  /** Its one connection is opened when it is needed, and the same way. */
  readonly #urgent: Pool
  /** Undefined where nothing can be heard. */
  readonly #listener: PostgresListener | undefined
  readonly #options: PostgresDbOptions
  readonly #patienceMs: number
  readonly #isPooled: boolean
  /** Where sessions of its own are; undefined: a pooler in transaction mode gives none. */
  readonly #sessionUrl: string | undefined
  /** Connections of the pools, and those in use. */
  readonly #pooled = new Set<ClientBase>()
  readonly #busy = new Set<ClientBase>()
  readonly #answers = new AnswerLimit((askedAt) => this.#silent(askedAt))
  /** Connections beside the pool, and their ends. */
  readonly #own = new Map<Client, Promise<void>>()
  readonly #transactions = new Set<PostgresTransaction>()
  readonly #silentUntil = new Map<string, number>()
  #closing: Promise<void> | undefined

  constructor(options: PostgresDbOptions) {
    this.#options = options
    const patienceMs = options.patienceMs ?? DEFAULT_PATIENCE_MS
    this.#patienceMs = patienceMs
    const { url, directUrl, isPooled = false, connections = MOST_CONNECTIONS } = options
    this.#isPooled = isPooled
    this.#sessionUrl = directUrl ?? (isPooled ? undefined : url)
    if (this.#sessionUrl !== undefined)
      this.#listener = new PostgresListener(this.#sessionUrl, options.logger)
    this.#pool = this.#openPool(connections)
    this.#urgent = this.#openPool(1)
  }

  #openPool(connections: number): Pool {
    const { url } = this.#options
    const pool = new Pool({
      connectionString: url,
      application_name: 'heyline',
      max: connections,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // What is set in a session of a pooler, others would find there.
      ...(!this.#isPooled && {
        onConnect: (client: ClientBase) =>
          this.#answers.during(client, this.#patienceMs, () =>
            runScript(client, sessionSettings(this.#patienceMs)),
          ),
      }),
    })
    // A connection that breaks while idle leaves the pool; one in use fails its statement. Neither may end the process.
    pool.on('error', (error) => this.#idleBroke(error))
    pool.on('connect', (client) => {
      client.on('error', () => {})
      this.#pooled.add(client)
    })
    pool.on('remove', (client) => this.#pooled.delete(client))
    return pool
  }

  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
    { prepared = false, urgent = false }: QueryOptions = {},
  ): Promise<Result<Row>> {
    const pool = urgent ? this.#urgent : this.#pool
    if (this.#isPooled) return await this.#shared((tx) => tx.query<Row>(sql, parameters), pool)
    const statement = (client: PoolClient) => runStatement(client, sql, parameters, prepared)
    return await decodeResult<Row>(await this.#alone(statement, pool))
  }

  async exec(sql: string): Promise<void> {
    if (this.#isPooled) await this.#shared((tx) => tx.exec(sql))
    else await this.#alone((client) => runScript(client, sql))
  }

  async transaction<T>(
    run: (tx: Queryable) => Promise<T>,
    { patienceMs = this.#patienceMs, idleMs = patienceMs, direct = false }: TransactionOptions = {},
  ): Promise<T> {
    const { directUrl } = this.#options
    const isUsual = patienceMs === this.#patienceMs && idleMs === patienceMs
    const own = isUsual ? 'begin' : `begin; ${limits(patienceMs, 'local', idleMs)}`
    if (direct && directUrl !== undefined)
      return await this.#withOwnClient(directUrl, (client) =>
        this.#run(run, { client, patienceMs, idleMs, begin: own, keepsPrepared: true }),
      )
    const begin = this.#isPooled ? beginWithSettings(patienceMs, idleMs) : own
    return await this.#withClient((client) =>
      this.#run(run, { client, patienceMs, idleMs, begin, keepsPrepared: !this.#isPooled }),
    )
  }

  async session<T>(run: (session: Queryable) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const url = this.#sessionUrl
    if (url === undefined) throw new DatabaseError(`${NEEDS_DIRECT_URL}.`, { code: '0A000' })
    return await withSession(url, run, {
      signal,
      cancel: (pid) => this.query('select pg_cancel_backend($1)', [pid]),
    })
  }

  pool(): PoolFigures {
    const { options, totalCount, idleCount, waitingCount } = this.#pool
    return { most: options.max, open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  async listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>> {
    if (this.#closing) throw DatabaseError.closed()
    // The log has said so at the start, and who listens also looks from time to time.
    if (!this.#listener) return async () => {}
    return await this.#listener.listen(channel, heard)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const transaction of this.#transactions) transaction.abort(DatabaseError.stopped())
    const timer = setTimeout(() => {
      for (const client of [...this.#pooled, ...this.#own.keys()]) cut(client)
      this.#listener?.cut()
    }, this.#options.closeGraceMs ?? 5_000)
    await Promise.all([this.#pool.end(), this.#urgent.end(), this.#listener?.close(), ...this.#own.values()])
    clearTimeout(timer)
    this.#options.logger.info('database closed')
  }

  /** They break together: one line a minute tells of it. */
  #idleBroke(error: Error): void {
    // The driver's error carries its whole client, with the key that cancels queries: ours does not.
    this.#warn('idle connections to Postgres broke', { reason: DatabaseError.from(error).message })
  }

  #warn(text: string, fields = {}): void {
    const now = performance.now()
    if (now < (this.#silentUntil.get(text) ?? 0)) return
    this.#silentUntil.set(text, now + SILENT_MS)
    this.#options.logger.warn(fields, text)
  }

  /** What took one connection has most likely taken others, too: no idle one is used again on which no answer has come since. */
  #silent(askedAt: number): void {
    this.#warn('Postgres did not answer: the connection was cut, and idle ones are made anew')
    for (const client of this.#pooled)
      if (!this.#busy.has(client) && !this.#answers.hasAnswered(client, askedAt)) cut(client)
    this.#listener?.check()
  }

  async #run<T>(
    run: (tx: Queryable) => Promise<T>,
    options: Omit<PostgresTransactionOptions, 'answers'>,
  ): Promise<T> {
    const transaction = new PostgresTransaction({ ...options, answers: this.#answers })
    this.#transactions.add(transaction)
    try {
      return await transaction.run(run)
    } finally {
      this.#transactions.delete(transaction)
    }
  }

  /** One statement outside of any transaction, on whichever connection is free. */
  #alone<T>(statement: (client: PoolClient) => Promise<T>, pool?: Pool): Promise<T> {
    return this.#withClient(async (client) => {
      const result = await this.#answers.during(client, this.#patienceMs, () => statement(client))
      if (!isInTransaction(client)) return result
      throw leftOpen()
    }, pool)
  }

  /** One statement on a session that belongs to others, too: in a transaction of its own, with all its settings. */
  #shared<T>(statement: (tx: Queryable) => Promise<T>, pool?: Pool): Promise<T> {
    const patienceMs = this.#patienceMs
    return this.#withClient(async (client) => {
      let begins = false
      const noticed = ({ code }: { code: string | undefined }): void => {
        begins ||= code === ACTIVE_TRANSACTION
      }
      client.on('notice', noticed)
      try {
        return await this.#run(
          async (tx) => {
            const result = await statement(tx)
            if (begins) throw leftOpen()
            return result
          },
          {
            ...{ client, patienceMs, idleMs: patienceMs, keepsPrepared: false },
            begin: beginWithSettings(patienceMs),
          },
        )
      } finally {
        client.off('notice', noticed)
      }
    }, pool)
  }

  /** Lends a connection. One that does not come back idle is dropped, so that nothing leaks to its next user. */
  async #withClient<T>(use: (client: PoolClient) => Promise<T>, pool = this.#pool): Promise<T> {
    if (this.#closing) throw DatabaseError.closed()
    const client = await pool.connect().catch((error: unknown) => {
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

  /** For what may take long: a connection that the pool does not have. */
  async #withOwnClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
    if (this.#closing) throw DatabaseError.closed()
    const client = newClient(url, 'heyline-session')
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    this.#own.set(client, ended)
    try {
      await client.connect().catch((error: unknown) => {
        throw DatabaseError.from(error)
      })
      await this.#answers.during(client, this.#patienceMs, () =>
        runScript(client, sessionSettings(this.#patienceMs)),
      )
      return await use(client)
    } finally {
      await client.end().catch(() => {})
      this.#own.delete(client)
    }
  }
}

const leftOpen = (): DatabaseError =>
  new DatabaseError('A statement left a transaction open; it was rolled back. Use `transaction`.', {
    code: ACTIVE_TRANSACTION,
  })
