/** Rows of one statement. `rowCount` is the number of rows returned, or of rows affected where none are returned. */
export interface Result<Row> {
  rows: Row[]
  rowCount: number
}

/**
 * Where statements run. Parameters are `$1`, `$2`, … and travel as text of unspecified type, so that Postgres
 * itself infers theirs: strings, numbers and bigints as they read, booleans, `null`/`undefined` as NULL, `Date` as ISO 8601,
 * `Uint8Array` as bytea, anything else (arrays, too) as JSON. What holds a NUL character is refused with 22021.
 * Values come back as: bool as boolean; int2, int4, int8, oid, float4, float8 as number (an int8 beyond 2^53 loses digits:
 * cast it to text); numeric as string; json and jsonb parsed; timestamptz and timestamp (read as UTC) as Date; date as string;
 * bytea as Uint8Array; arrays of these, and of text, varchar and uuid, as arrays; all else as the text that Postgres prints.
 */
export interface Queryable {
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<Result<Row>>
  /** Runs a script of any number of statements, without parameters. */
  exec(sql: string): Promise<void>
}

/** One small database: PGlite or Postgres behind the same face. Every failure of a statement is a `DatabaseError`. */
export interface Db extends Queryable {
  readonly kind: 'pglite' | 'postgres'
  /**
   * One transaction: committed when `run` resolves (durable once this resolves), rolled back when it rejects.
   * `run` must await only its own statements: on PGlite, everybody else waits meanwhile.
   */
  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T>
  /** Calls `heard` with the payload of every NOTIFY on the channel, of any process, until the returned function is called. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>
  /** Ends running statements' connections and frees the data directory. Idempotent. */
  close(): Promise<void>
}
