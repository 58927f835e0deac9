import { DatabaseError } from '@heyline/database'
import { RestError } from '../../errors/rest-error.js'
import { SCHEMA } from '../request/rest-request.js'
import { quoteIdentifier } from './statement.js'

/** Names of columns, and the oid of each one's type. */
export type Columns = Record<string, number>

const JSON_TYPES = new Set([114, 3802])
/** text, bpchar, varchar. */
const TEXT_TYPES = new Set([25, 1042, 1043])
/** bool, the integers and other numbers, oid, dates and times, uuid. */
const SHORT_TYPES = new Set([16, 20, 21, 23, 26, 700, 701, 1082, 1083, 1114, 1184, 1186, 1700, 2950])

export interface TableOptions {
  /** The primary key's columns, in its order. */
  key?: readonly string[]
  /** The name in SQL of what is no table of the schema. */
  source?: string
  /** Columns that the request may not read, compare or order by. */
  hidden?: ReadonlySet<string>
}

/** Postgres's refusal for want of a right. */
export const permissionDenied = (table: string): DatabaseError =>
  new DatabaseError(`permission denied for table ${table}`, { code: '42501' })

/**
 * A table or view of the served schema, or what a function returns. Names of columns come into SQL only through here, and only
 * when the table has them: Postgres would otherwise read an unknown `table.name` as the function `name` called on the row.
 */
export class Table {
  readonly name: string
  /** What stands in FROM. */
  readonly sql: string
  /** The primary key's columns, in its order; known for inserts only. */
  readonly key: readonly string[]
  /** The name that columns carry in SQL. */
  readonly #alias: string
  readonly #columns: ReadonlyMap<string, number>
  readonly #hidden: ReadonlySet<string>
  #isHiddenAsked = false

  constructor(name: string, columns: Columns, options: TableOptions = {}) {
    this.name = name
    this.#alias = options.source ?? quoteIdentifier(name)
    this.sql = options.source ?? `${quoteIdentifier(SCHEMA)}.${quoteIdentifier(name)}`
    this.key = options.key ?? []
    this.#columns = new Map(Object.entries(columns))
    this.#hidden = options.hidden ?? new Set()
  }

  /** A column that is read or compared, with its table. */
  column(name: string): string {
    if (!this.#columns.has(name))
      throw new RestError('42703', { message: `column ${this.name}.${name} does not exist` })
    if (this.#hidden.has(name)) this.#isHiddenAsked = true
    return `${this.#alias}.${quoteIdentifier(name)}`
  }

  /** Whether a column is JSON itself. */
  isJson(name: string): boolean {
    return JSON_TYPES.has(this.#columns.get(name) ?? 0)
  }

  /** Whether a column is text of any length. */
  isText(name: string): boolean {
    return TEXT_TYPES.has(this.#columns.get(name) ?? 0)
  }

  /** Whether a column's values are short, whatever they are. */
  isShort(name: string): boolean {
    return SHORT_TYPES.has(this.#columns.get(name) ?? 0)
  }

  /** All columns. */
  get all(): string {
    if (this.#hidden.size > 0) this.#isHiddenAsked = true
    return `${this.#alias}.*`
  }

  /** A column that is written. */
  target(name: string): string {
    if (!this.#columns.has(name))
      throw new RestError('PGRST204', {
        message: `Could not find the '${name}' column of '${this.name}' in the schema cache`,
      })
    return quoteIdentifier(name)
  }

  /**
   * Throws what Postgres says of a column without a grant, where a hidden one was asked for. Call it when the statement is written:
   * Postgres, too, looks for unknown columns before it looks at rights.
   */
  refuseHidden(): void {
    if (this.#isHiddenAsked) throw permissionDenied(this.name)
  }

  /** A column that tells duplicates. */
  arbiter(name: string): string {
    this.column(name)
    return quoteIdentifier(name)
  }
}
