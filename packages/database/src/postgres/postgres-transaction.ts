import type { ClientBase } from 'pg'
import { DatabaseError } from '../db/database-error.js'
import { DEFAULT_PATIENCE_MS, type Queryable, type QueryOptions, type Result } from '../db/db.js'
import { decodeResult } from '../db/rows.js'
import { TransactionLife } from '../db/transaction-life.js'
import type { AnswerLimit } from './answer-limit.js'
import { isInTransaction, runScript, runStatement } from './statement.js'

export interface PostgresTransactionOptions {
  client: ClientBase
  patienceMs: number
  /** Longest that it may idle between two statements. */
  idleMs: number
  /** The statement that begins it, with the settings that its session lacks. */
  begin: string
  /** The session is ours for longer than the transaction. */
  keepsPrepared: boolean
  answers: AnswerLimit
}

/** One transaction on a connection of the pool that is its own meanwhile. */
export class PostgresTransaction implements Queryable {
  readonly #client: ClientBase
  readonly #begin: string
  readonly #keepsPrepared: boolean
  readonly #patienceMs: number
  readonly #answers: AnswerLimit
  readonly #life: TransactionLife
  /** Statements go one after another, so that each can see how the one before left the session. */
  #last: Promise<unknown> = Promise.resolve()

  constructor({ client, patienceMs, idleMs, begin, keepsPrepared, answers }: PostgresTransactionOptions) {
    this.#client = client
    this.#begin = begin
    this.#keepsPrepared = keepsPrepared
    this.#patienceMs = patienceMs
    this.#answers = answers
    this.#life = new TransactionLife(idleMs)
  }

  async run<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    // However long its work may take, this does not.
    const beginMs = Math.min(this.#patienceMs, DEFAULT_PATIENCE_MS)
    await this.#answers.during(this.#client, beginMs, () => runScript(this.#client, this.#begin))
    return await this.#life.run(
      () => run(this),
      (how) => this.#end(how),
    )
  }

  /** As of `TransactionLife`. */
  abort(reason: DatabaseError): void {
    this.#life.abort(reason)
  }

  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
    { prepared = false }: QueryOptions = {},
  ): Promise<Result<Row>> {
    return await decodeResult<Row>(
      await this.#inside(() => runStatement(this.#client, sql, parameters, prepared && this.#keepsPrepared)),
    )
  }

  async exec(sql: string): Promise<void> {
    await this.#inside(() => runScript(this.#client, sql))
  }

  #inside<T>(statement: () => Promise<T>): Promise<T> {
    return this.#life.inside(() =>
      this.#next(async () => {
        this.#assertInside()
        try {
          return await this.#answered(statement)
        } finally {
          this.#assertStillInside()
        }
      }),
    )
  }

  async #end(how: 'commit' | 'rollback'): Promise<void> {
    const { command } = await this.#next(async () => {
      if (how === 'commit') this.#assertInside()
      return await this.#answered(() => runStatement(this.#client, how, []))
    })
    if (how === 'commit' && command === 'ROLLBACK') throw DatabaseError.rolledBack()
  }

  #answered<T>(statement: () => Promise<T>): Promise<T> {
    return this.#answers.during(this.#client, this.#patienceMs, statement)
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
