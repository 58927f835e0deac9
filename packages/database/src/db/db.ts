/** Rows of one statement. `rowCount` is the number of rows returned, or of rows affected where none are returned. */
export interface Result<Row> {
  rows: Row[]
  rowCount: number
}

/** Longest that a statement may run, and that a transaction may idle, unless told otherwise. */
export const DEFAULT_PATIENCE_MS = 5_000

/** The same of a change of very many rows, whose statements each have their share of them. Where nobody answers, it ends, too. */
export const LONG_PATIENCE_MS = 120_000

/**
 * Where statements run. Parameters are `$1`, `$2`, … and travel as text of unspecified type, so that Postgres
 * itself infers theirs: strings, numbers and bigints as they read, booleans, `null`/`undefined` as NULL, `Date` as ISO 8601,
 * `Uint8Array` as bytea, anything else (arrays, too) as JSON. What holds a NUL character is refused with 22021.
 * Values come back as: bool as boolean; int2, int4, int8, oid, float4, float8 as number (an int8 beyond 2^53 loses digits:
 * cast it to text); numeric as string; json and jsonb parsed; timestamptz and timestamp (read as UTC) as Date; date as string;
 * bytea as Uint8Array; arrays of these, and of text, varchar and uuid, as arrays; all else as the text that Postgres prints.
 * A statement that runs longer than the database's patience (5 s) is cancelled and rejects with 57014; it had no effect.
 */
export interface Queryable {
  query<Row = Record<string, unknown>>(
    sql: string,
    parameters?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Result<Row>>
  /** Runs a script of any number of statements, without parameters. */
  exec(sql: string): Promise<void>
}

export interface QueryOptions {
  /**
   * Has Postgres keep what it made of the statement, which is most of a small one's cost. For statements that run again and again,
   * and the types of whose result no migration can change. Only so many are kept (`PreparedNames`).
   */
  prepared?: boolean
  /**
   * Waits behind no others for a connection: Postgres has one more for such statements, which are few and short. On PGlite it waits like
   * any other. Not in a transaction.
   */
  urgent?: boolean
  /** PGlite only: longest that it may run, in ms, in place of the database's own. For what would have to be done again once it is given up. Not in a transaction. */
  patienceMs?: number
}

export interface TransactionOptions {
  /**
   * Longest that one of its statements may run, and that it may idle between two, in ms: for long legitimate work (a
   * migration, an import). `Number.POSITIVE_INFINITY` for no limit; without it the database's own (`DEFAULT_PATIENCE_MS`).
   */
  patienceMs?: number
  /**
   * Longest that it may idle between two statements, in ms, in place of `patienceMs`: for long work that holds what others need. Twice as
   * long, and Postgres itself ends it, so that a machine that is lost, or stands still, holds nothing.
   */
  idleMs?: number
  /** For what may take minutes: past a pooler, where there is one, on a connection of its own. */
  direct?: boolean
}

/** A copy of a PGlite's files as of one moment between two commits. */
export interface Snapshot {
  /** Holds `pgdata`. */
  directory: string
  /** Whoever asked for it removes it. */
  remove(): Promise<void>
}

/** Connections of one process: at most so many, how many are open, how many of these do nothing, and how many statements wait for one. */
export interface PoolFigures {
  most: number
  open: number
  idle: number
  waiting: number
}

/** One small database: PGlite or Postgres behind the same face. Every failure of a statement is a `DatabaseError`. */
export interface Db extends Queryable {
  readonly kind: 'pglite' | 'postgres'
  /**
   * One transaction: committed when `run` resolves (durable once this resolves), rolled back when it rejects.
   * `run` must await only its own statements: on PGlite, everybody else waits meanwhile.
   */
  transaction<T>(run: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Calls `heard` with the payload of every NOTIFY on the channel, of any process, until the returned function is called. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>
  /**
   * Postgres only: a connection of its own for `run`, outside of any transaction and without a limit of time: for what Postgres refuses in
   * one. `signal` cancels what it runs. Behind a pooler in transaction mode it needs a direct URL, or rejects with 0A000.
   */
  session?<T>(run: (session: Queryable) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Postgres only: how its connections stand. */
  pool?(): PoolFigures
  /** PGlite only: everybody else waits while its files are copied, beside them. See `backupDatabase`. */
  snapshot?(): Promise<Snapshot>
  /** Ends running statements' connections and frees the data directory. Idempotent. */
  close(): Promise<void>
}
