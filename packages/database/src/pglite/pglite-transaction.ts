import { DatabaseError } from '../db/database-error.js'
import type { Queryable, QueryOptions, Result } from '../db/db.js'
import { IdleLimit } from '../db/idle-limit.js'
import { encodeParameters } from '../db/parameters.js'
import type { PreparedNames } from '../db/prepared-names.js'
import { decodeResult, type RawResult } from '../db/rows.js'
import type { Standing } from './engine-message.js'
import type { Session } from './session.js'
import type { Holder } from './task.js'

/** One transaction on PGlite's session, which is its caller's alone until the end is posted. */
export class PgliteTransaction implements Queryable, Holder {
  lost = false
  readonly #session: Session
  readonly #names: PreparedNames
  readonly #patienceMs: number
  readonly #idle: IdleLimit
  #open = true
  #refusal = DatabaseError.transactionOver()
  #abort: (reason: DatabaseError) => void = () => {}

  constructor(session: Session, names: PreparedNames, patienceMs: number) {
    this.#session = session
    this.#names = names
    this.#patienceMs = patienceMs
    this.#idle = new IdleLimit(patienceMs, () => this.abort(DatabaseError.idle(patienceMs)))
  }

  /** `onEnding` is called as soon as COMMIT or ROLLBACK is posted: from then on the session may be another's. */
  async run<T>(run: (tx: Queryable) => Promise<T>, onEnding: () => void): Promise<T> {
    // Not waited for, since the work behind it stands in line: where it fails, the first statement tells.
    this.#post('begin', [], 'begin', this.#names.of('begin')).catch(() => {})
    let value: T
    try {
      value = await new Promise<T>((resolve, reject) => {
        this.#abort = reject
        this.#idle.start()
        run(this).then(resolve, reject)
      })
    } catch (error) {
      await this.#end('rollback', onEnding).catch(() => {}) // what made it roll back is what the caller needs to know
      throw error
    }
    await this.#end('commit', onEnding)
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
    this.#assertOpen()
    const encoded = encodeParameters(parameters)
    return decodeResult<Row>(
      await this.#idle.during(() =>
        this.#post(sql, encoded, 'inside', prepared ? this.#names.of(sql) : undefined),
      ),
    )
  }

  async exec(sql: string): Promise<void> {
    this.#assertOpen()
    await this.#idle.during(() => this.#post(sql, null, 'inside'))
  }

  async #end(how: 'commit' | 'rollback', onEnding: () => void): Promise<void> {
    this.#open = false
    this.#idle.stop()
    const ended = this.#post(how, [], how, this.#names.of(how))
    onEnding()
    await ended
  }

  #post(
    sql: string,
    parameters: (string | null)[] | null,
    standing: Standing,
    name?: string,
  ): Promise<RawResult> {
    const work = { type: 'run', sql, parameters, standing, name } as const
    return this.#session.run(work, { holder: this, patienceMs: this.#patienceMs })
  }

  #assertOpen(): void {
    if (!this.#open) throw this.#refusal
  }
}
