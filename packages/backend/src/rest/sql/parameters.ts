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
