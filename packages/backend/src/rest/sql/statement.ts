/** Values of one statement: they travel beside the SQL, never in it. */
export class Parameters {
  readonly values: unknown[] = []

  /** Takes a value and returns its place in the SQL, `$1`, `$2`, … */
  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** SQL, and the values of its `$1`, `$2`, … */
export interface Statement {
  sql: string
  values: unknown[]
}

/** A name as SQL takes it, whatever it holds. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * The rows as the column `body`: JSON as text, so that Postgres itself writes numbers, times and all else the way PostgREST
 * does. `row` is what of each (`_row.*`, and not `_row`: a column of that name would be taken for it).
 */
export function rendered(row: string, wanted: boolean): string {
  return `${wanted ? `coalesce(json_agg(${row}), '[]')::text` : 'null::text'} as body`
}
