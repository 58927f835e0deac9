import { DatabaseError } from '../db/database-error.js'
import type { Db, QueryOptions } from '../db/db.js'
import { type MigrationFolder, readMigrationFolder } from './migration-folder.js'

/** What keeps a schema from being the one that this build expects: file names, in order. */
export interface SchemaFaults {
  missing: string[]
  /** Their text is not the one that was applied. */
  edited: string[]
}

const UNDEFINED_TABLE = '42P01'
const UNDEFINED_COLUMN = '42703'

/** Compares a database with the folder, and changes nothing. Indexes that are built after the start may be missing. */
export class SchemaCheck {
  readonly #folder: string | URL
  #content: Promise<MigrationFolder> | undefined

  constructor(folder: string | URL) {
    this.#folder = folder
  }

  /** @throws DatabaseError when the database can't be asked */
  async run(db: Pick<Db, 'query'>, options?: QueryOptions): Promise<SchemaFaults> {
    this.#content ??= readMigrationFolder(this.#folder)
    const { migrations } = await this.#content
    const applied = await checksums(db, options)
    const needed = migrations.filter(({ version, indexes }) => applied.has(version) || !indexes)
    return {
      missing: needed.filter(({ version }) => !applied.has(version)).map(({ file }) => file),
      edited: needed
        .filter(({ version, checksum }) => (applied.get(version) ?? checksum) !== checksum)
        .map(({ file }) => file),
    }
  }
}

async function checksums(db: Pick<Db, 'query'>, options?: QueryOptions): Promise<Map<string, string | null>> {
  try {
    const { rows } = await db.query<{ version: string; checksum: string | null }>(
      'select version, checksum from supabase_migrations.schema_migrations',
      [],
      options,
    )
    return new Map(rows.map(({ version, checksum }) => [version, checksum]))
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined
    if (code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN) return new Map()
    throw error
  }
}
