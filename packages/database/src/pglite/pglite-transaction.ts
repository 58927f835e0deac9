import { DatabaseError } from '../database-error.js'
import type { Queryable, Result } from '../db.js'
import { encodeParameters } from '../parameters.js'
import { decodeResult } from '../rows.js'
import type { Engine } from './engine.js'

/** One transaction on PGlite's session, which is its caller's alone until the end is posted. */
export class PgliteTransaction implements Queryable {
  readonly #engine: Engine
  #open = true
  #refusal = DatabaseError.transactionOver()
  #abort: (reason: DatabaseError) => void = () => {}

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** `ending` is called as soon as COMMIT or ROLLBACK is posted: from then on the session may be another's. */
  async run<T>(run: (tx: Queryable) => Promise<T>, ending: () => void): Promise<T> {
    await this.#engine.run('begin', [], 'begin')
    let value: T
    try {
      value = await new Promise<T>((resolve, reject) => {
        this.#abort = reject
        run(this).then(resolve, reject)
      })
    } catch (error) {
      await this.#end('rollback', ending).catch(() => {}) // what made it roll back is what the caller needs to know
      throw error
    }
    await this.#end('commit', ending)
    return value
  }

  /** The database goes away: settles the transaction even where `run` never would. */
  abort(reason: DatabaseError): void {
    this.#refusal = reason
    this.#open = false
    this.#abort(reason)
  }

  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Result<Row>> {
    this.#assertOpen()
    return decodeResult<Row>(await this.#engine.run(sql, encodeParameters(parameters), 'inside'))
  }

  async exec(sql: string): Promise<void> {
    this.#assertOpen()
    await this.#engine.run(sql, null, 'inside')
  }

  async #end(how: 'commit' | 'rollback', ending: () => void): Promise<void> {
    this.#open = false
    const ended = this.#engine.run(how, [], how)
    ending()
    await ended
  }

  #assertOpen(): void {
    if (!this.#open) throw this.#refusal
  }
}
