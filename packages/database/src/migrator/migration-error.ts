/**
 * Why the database was not migrated; nothing of the run was kept. `bad_name`: a file is not `<14 digits>_<name>.sql`, or shares its version;
 * `newer_database`: the database has migrations that come after the newest one here; `failed`: a script failed (its error is the `cause`).
 */
export type MigrationErrorCode = 'bad_name' | 'newer_database' | 'failed'

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly code: MigrationErrorCode

  constructor(code: MigrationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
