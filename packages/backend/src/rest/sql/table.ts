import { SCHEMA } from '../request/rest-request.js'
import { RestError } from '../rest-error.js'
import { quoteIdentifier } from './identifier.js'

/**
 * A table or view of the served schema. Names of columns come into SQL only through here, and only when the table has them:
 * Postgres would otherwise read an unknown `table.name` as the function `name` called on the row.
 */
export class Table {
  readonly name: string
  /** The name as SQL takes it, with its schema. */
  readonly sql: string
  readonly #columns: ReadonlySet<string>

  constructor(name: string, columns: readonly string[]) {
    this.name = name
    this.sql = `${quoteIdentifier(SCHEMA)}.${quoteIdentifier(name)}`
    this.#columns = new Set(columns)
  }

  /** A column that is read or compared, with its table. */
  column(name: string): string {
    if (!this.#columns.has(name))
      throw new RestError('42703', { message: `column ${this.name}.${name} does not exist` })
    return `${quoteIdentifier(this.name)}.${quoteIdentifier(name)}`
  }

  /** All columns. */
  get all(): string {
    return `${quoteIdentifier(this.name)}.*`
  }

  /** A column that is written. */
  target(name: string): string {
    if (!this.#columns.has(name))
      throw new RestError('PGRST204', {
        message: `Could not find the '${name}' column of '${this.name}' in the schema cache`,
      })
    return quoteIdentifier(name)
  }
}
