/**
 * Why there is no backup, or why it was not restored. `no_database`: nobody has migrated the database yet; `hosted`: the database is a Supabase project, which has its own backups;
 * `no_secret`: the file is sealed, and no secret was given; `other_secret`: it was sealed with another one;
 * `not_a_backup`: the file was not written by `backupDatabase`, or is cut off or damaged; `other_version`: it holds files of
 * another Postgres version than this build runs, or was written by a newer build; `not_opened`: its files are whole, but the database in
 * them does not open; `not_empty`: the database holds something, and nobody said that it may be replaced; `in_use`: servers are
 * connected to it; `other_schema`: it has other migrations than the backup. Nothing was changed in any of these cases.
 */
export type BackupErrorCode =
  | 'no_database'
  | 'hosted'
  | 'no_secret'
  | 'other_secret'
  | 'not_a_backup'
  | 'other_version'
  | 'not_opened'
  | 'not_empty'
  | 'in_use'
  | 'other_schema'

export class BackupError extends Error {
  override readonly name = 'BackupError'
  readonly code: BackupErrorCode

  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
