import { DatabaseError } from './database-error.js'
import { IdleLimit } from './idle-limit.js'

/** What a transaction goes through on every kind of database: it is open, works, and ends once. */
export class TransactionLife {
  readonly #idle: IdleLimit
  #open = true
  #refusal = DatabaseError.transactionOver()
  #abort: (reason: DatabaseError) => void = () => {}

  /** `idleMs`: longest that it may idle between two statements. */
  constructor(idleMs: number) {
    this.#idle = new IdleLimit(idleMs, () => this.abort(DatabaseError.idle(idleMs)))
  }

  /** Works until `work` settles or `abort` is called, then ends it: with `commit` where all went well. */
  async run<T>(work: () => Promise<T>, end: (how: 'commit' | 'rollback') => Promise<void>): Promise<T> {
    let value: T
    try {
      value = await new Promise<T>((resolve, reject) => {
        this.#abort = reject
        this.#idle.start()
        work().then(resolve, reject)
      })
    } catch (error) {
      this.#close()
      await end('rollback').catch(() => {}) // what made it roll back is what the caller needs to know
      throw error
    }
    this.#close()
    await end('commit')
    return value
  }

  /** One of its statements; refused when it is over. */
  async inside<T>(statement: () => Promise<T>): Promise<T> {
    if (!this.#open) throw this.#refusal
    return await this.#idle.during(statement)
  }

  /** Settles the transaction even where its work never would: the database goes away, or has waited long enough. */
  abort(reason: DatabaseError): void {
    if (!this.#open) return
    this.#refusal = reason
    this.#open = false
    this.#abort(reason)
  }

  #close(): void {
    this.#open = false
    this.#idle.stop()
  }
}
