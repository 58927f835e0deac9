import type { ClientBase } from 'pg'
import { DatabaseError } from '../db/database-error.js'
import type { Queryable, QueryOptions, Result } from '../db/db.js'
import { IdleLimit } from '../db/idle-limit.js'
import { decodeResult } from '../db/rows.js'
import { isInTransaction, limits, runScript, runStatement } from './statement.js'

/** One transaction on a connection of the pool that is its own meanwhile. */
export class PostgresTransaction implements Queryable {
  readonly #client: ClientBase
  #open = true
  #refusal = DatabaseError.transactionOver()
  #abort: (reason: DatabaseError) => void = () => {}
  /** Statements go one after another, so that each can see how the one before left the session. */
  #last: Promise<unknown> = Promise.resolve()

  readonly #begin: string
  readonly #idle: IdleLimit

  /** `ownPatience` when it is not the one that the session has. */
  constructor(client: ClientBase, patienceMs: number, ownPatience: boolean) {
    this.#client = client
    this.#begin = ownPatience ? `begin; ${limits(patienceMs, 'local')}` : 'begin'
    this.#idle = new IdleLimit(patienceMs, () => this.abort(DatabaseError.idle(patienceMs)))
  }

  async run<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    await runScript(this.#client, this.#begin)
    let value: T
    try {
      value = await new Promise<T>((resolve, reject) => {
        this.#abort = reject
        this.#idle.start()
        run(this).then(resolve, reject)
      })
    } catch (error) {
      await this.#end('rollback').catch(() => {}) // what made it roll back is what the caller needs to know
      throw error
    }
    if ((await this.#end('commit')) === 'ROLLBACK') throw DatabaseError.rolledBack()
    return value
  }

  /** Settles the transaction even where `run` never would: the database goes away, or has waited long enough. */
  abort(reason: DatabaseError): void {
    if (!this.#open) return
    this.#refusal = reason
    this.#open = false
    this.#abort(reason)
  }

  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
    { prepared = false }: QueryOptions = {},
  ): Promise<Result<Row>> {
    return decodeResult<Row>(await this.#inside(() => runStatement(this.#client, sql, parameters, prepared)))
  }

  async exec(sql: string): Promise<void> {
    await this.#inside(() => runScript(this.#client, sql))
  }

  #inside<T>(statement: () => Promise<T>): Promise<T> {
    if (!this.#open) return Promise.reject(this.#refusal)
    return this.#idle.during(() =>
      this.#next(async () => {
        this.#assertInside()
        try {
          return await statement()
        } finally {
          this.#assertStillInside()
        }
      }),
    )
  }

  async #end(how: 'commit' | 'rollback'): Promise<string> {
    this.#open = false
    this.#idle.stop()
    const { command } = await this.#next(async () => {
      if (how === 'commit') this.#assertInside()
      return await runStatement(this.#client, how, [])
    })
    return command
  }

  #next<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#last.then(step)
    this.#last = result.catch(() => {})
    return result
  }

  #assertInside(): void {
    if (isInTransaction(this.#client)) return
    throw new DatabaseError('The transaction was ended by one of its own statements.', { code: '25P01' })
  }

  #assertStillInside(): void {
    if (this.#client.getTransactionStatus() !== 'I') return
    throw new DatabaseError('A statement ended the transaction it ran in. Let `transaction` end it.', {
      code: '2D000',
    })
  }
}
