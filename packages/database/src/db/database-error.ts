/** What a `DatabaseError` says besides its message; the names are those of Postgres's error fields. */
export interface DatabaseErrorFields {
  /** SQLSTATE, five characters. https://www.postgresql.org/docs/current/errcodes-appendix.html */
  code: string
  detail?: string | null
  hint?: string | null
  constraint?: string | null
  cause?: unknown
}

/**
 * Every failure of a statement or of the connection under it. `code` is Postgres's SQLSTATE; where no statement was at
 * fault it is 08003 (the `Db` is closed), 08006 (no connection), 57P01 (it stopped meanwhile, or was stopped in what may have been a commit: outcome unknown),
 * 57014 (it took longer than the database's patience: it had no effect), 25P01 (a transaction is used after its end),
 * 25P02 (a commit, or another statement, after one had failed) or 25P03 (the transaction idled too long and was rolled back).
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string
  readonly detail: string | null
  readonly hint: string | null
  /** Name of the violated constraint or unique index, where one was. */
  readonly constraint: string | null

  constructor(message: string, fields: DatabaseErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.detail = fields.detail ?? null
    this.hint = fields.hint ?? null
    this.constraint = fields.constraint ?? null
  }

  static closed(): DatabaseError {
    return new DatabaseError('The database is closed: open it again to use it.', { code: '08003' })
  }

  /** The engine or the connection went away while something was under way. */
  static stopped(cause?: unknown): DatabaseError {
    return new DatabaseError(
      'The database stopped before it answered: whether the statement took effect is unknown.',
      {
        code: '57P01',
        cause,
      },
    )
  }

  static transactionOver(): DatabaseError {
    return new DatabaseError('The transaction is over: run its statements before `run` settles.', {
      code: '25P01',
    })
  }

  /** `run` resolved although a statement in it had failed, so Postgres rolled back where a commit was asked for. */
  static rolledBack(): DatabaseError {
    return new DatabaseError('The transaction was rolled back, because a statement in it had failed.', {
      code: '25P02',
    })
  }

  /** What follows a failed statement in its transaction, in Postgres's words. */
  static aborted(): DatabaseError {
    return new DatabaseError(
      'current transaction is aborted, commands ignored until end of transaction block',
      {
        code: '25P02',
      },
    )
  }

  /** The watchdog ended the statement, in Postgres's words. */
  static tooSlow(): DatabaseError {
    return new DatabaseError('canceling statement due to statement timeout', { code: '57014' })
  }

  static idle(limitMs: number): DatabaseError {
    return new DatabaseError(
      `The transaction was rolled back, because it idled for longer than ${limitMs} ms: \`run\` must await only its own statements.`,
      { code: '25P03' },
    )
  }

  /** A driver's error as ours; what carries no SQLSTATE is a lost or refused connection (08006). */
  static from(error: unknown): DatabaseError {
    if (error instanceof DatabaseError) return error
    const fields = errorFields(error)
    if (fields) return new DatabaseError(fields.message, { ...fields, cause: error })
    const message = error instanceof Error ? error.message || error.name : String(error)
    return new DatabaseError(`No connection to the database: ${message}`, { code: '08006', cause: error })
  }
}

/** The fields of a Postgres error as they cross a thread: plain data. */
export interface ErrorFields {
  message: string
  code: string
  detail: string | null
  hint: string | null
  constraint: string | null
}

/** Reads Postgres's error fields off any driver's error; undefined when it carries no SQLSTATE. */
export function errorFields(error: unknown): ErrorFields | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if ('errno' in error) return undefined // the system's, whose EPIPE looks like a SQLSTATE
  const { code } = error
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined
  const text = (field: string): string | null => {
    const value: unknown = Reflect.get(error, field)
    return typeof value === 'string' ? value : null
  }
  return {
    message: error.message,
    code,
    detail: text('detail'),
    hint: text('hint'),
    constraint: text('constraint'),
  }
}
