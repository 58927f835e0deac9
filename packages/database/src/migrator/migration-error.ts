/**
 * Why the database was not migrated; nothing of the run was kept. `bad_name`: a file is not `<14 digits>_<name>.sql`, or shares its version;
 * `bad_indexes`: a file that begins with `-- concurrently` does more than make and drop indexes; `edited`: a file is not what was applied;
 * `failed`: a script failed (its error is the `cause`).
 */
export type MigrationErrorCode = 'bad_name' | 'bad_indexes' | 'edited' | 'failed'

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly code: MigrationErrorCode

  constructor(code: MigrationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
