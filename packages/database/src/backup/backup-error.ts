/**
 * Why there is no backup, or why it was not restored. `not_pglite`: the database is a Postgres, which has its own tools;
 * `not_a_backup`: the file was not written by `backupDatabase`, or is cut off or damaged; `other_version`: it holds files of
 * another Postgres version than this build runs; `not_opened`: its files are whole, but the database in them does not open.
 * Nothing was changed in any of these cases.
 */
export type BackupErrorCode = 'not_pglite' | 'not_a_backup' | 'other_version' | 'not_opened'

export class BackupError extends Error {
  override readonly name = 'BackupError'
  readonly code: BackupErrorCode

  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
