import type { DatabaseError } from '../db/database-error.js'
import type { Queryable, QueryOptions, Result } from '../db/db.js'
import { encodeParameters } from '../db/parameters.js'
import type { PreparedNames } from '../db/prepared-names.js'
import { decodeResult, type RawResult } from '../db/rows.js'
import { TransactionLife } from '../db/transaction-life.js'
import type { Standing } from './engine-message.js'
import type { Session } from './session.js'
import type { Holder } from './task.js'

/** One transaction on PGlite's session, which is its caller's alone until the end is posted. */
export class PgliteTransaction implements Queryable, Holder {
  lost = false
  readonly #session: Session
  readonly #names: PreparedNames
  readonly #patienceMs: number
  readonly #life: TransactionLife

  constructor(
    session: Session,
    names: PreparedNames,
    { patienceMs, idleMs }: { patienceMs: number; idleMs: number },
  ) {
    this.#session = session
    this.#names = names
    this.#patienceMs = patienceMs
    this.#life = new TransactionLife(idleMs)
  }

  /** `onEnding` is called as soon as COMMIT or ROLLBACK is posted: from then on the session may be another's. */
  async run<T>(run: (tx: Queryable) => Promise<T>, onEnding: () => void): Promise<T> {
    // Not waited for, since the work behind it stands in line: where it fails, the first statement tells.
    this.#post('begin', [], 'begin', this.#names.of('begin')).catch(() => {})
    return await this.#life.run(
      () => run(this),
      async (how) => {
        const ended = this.#post(how, [], how, this.#names.of(how))
        onEnding()
        await ended
      },
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
    const result = await this.#life.inside(async () => {
      const encoded = encodeParameters(parameters)
      return await this.#post(sql, encoded, 'inside', prepared ? this.#names.of(sql) : undefined)
    })
    return await decodeResult<Row>(result)
  }

  async exec(sql: string): Promise<void> {
    await this.#life.inside(() => this.#post(sql, null, 'inside'))
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
}
