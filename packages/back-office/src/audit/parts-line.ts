import type { Queryable } from '@heyline/database'
import { type Actor, AUDIT_CHANNEL, storeLine } from './audit.js'

/** What stands in the detail until all parts are made: also where the change broke off, and after a crash. */
export const NOT_FINISHED = { isFinished: false }

/** The line of the audit that a change in parts has. */
export interface PartsLine {
  /** Stores it before anything is changed: for parts that no transaction of this database makes. */
  begin(): Promise<void>
  /**
   * Stores it with the first part that changed something, in the part's own transaction, and counts up with each other one: numbers are added
   * to those of the parts before.
   */
  count(tx: Queryable, changed: Readonly<Record<string, unknown>>): Promise<void>
}

/** No line is kept: what was asked for has none. */
export const NO_LINE: PartsLine = { begin: async () => {}, count: async () => {} }

/** The line of one change, which is there as soon as something is changed, whatever ends it. */
export class StoredPartsLine implements PartsLine {
  readonly #db: Queryable
  readonly #actor: Actor
  readonly #action: string
  /** The transaction that stored it may have been rolled back. */
  #id: string | undefined

  constructor(db: Queryable, actor: Actor, action: string) {
    this.#db = db
    this.#actor = actor
    this.#action = action
  }

  async begin(): Promise<void> {
    this.#id = await storeLine(this.#db, this.#actor, this.#action, NOT_FINISHED)
  }

  async count(tx: Queryable, changed: Readonly<Record<string, unknown>>): Promise<void> {
    if (!Object.values(changed).some((value) => typeof value === 'number' && value > 0)) return
    if (await this.#set(tx, `line.detail || (${SUMS})`, changed)) return
    this.#id = await storeLine(tx, this.#actor, this.#action, { ...changed, ...NOT_FINISHED })
  }

  /** Gives it the detail of the whole change. False where none is stored: no part has changed anything. */
  finish(detail: Readonly<Record<string, unknown>>): Promise<boolean> {
    return this.#set(this.#db, '$2::jsonb', detail)
  }

  /** Takes it away where nothing is another than before. */
  async drop(): Promise<void> {
    if (this.#id !== undefined)
      await this.#db.query('delete from back_office.audit where id = $1', [this.#id])
  }

  async #set(tx: Queryable, detail: string, given: Readonly<Record<string, unknown>>): Promise<boolean> {
    if (this.#id === undefined) return false
    const { rows } = await tx.query(
      `with set as (update back_office.audit line set detail = ${detail} where line.id = $1 returning line.action)
       select pg_notify('${AUDIT_CHANNEL}', action) from set`,
      [this.#id, given],
    )
    return rows.length > 0
  }
}

/** In SQL: what was given, $2, with the numbers of `line` added to its own. */
const SUMS = `select jsonb_object_agg(given.key, case jsonb_typeof(given.value)
    when 'number' then to_jsonb(coalesce((line.detail ->> given.key)::bigint, 0) + given.value::bigint)
    else given.value end)
  from jsonb_each($2::jsonb) given (key, value)`
