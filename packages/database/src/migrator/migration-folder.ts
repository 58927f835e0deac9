import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type IndexStep, indexSteps, isConcurrent } from './index-steps.js'
import { MigrationError } from './migration-error.js'

export interface Migration {
  /** Fourteen digits, by which migrations are ordered. */
  version: string
  name: string
  /** File name, for messages. */
  file: string
  sql: string
  /** SHA-256 of the text, in hex. Ends of lines do not count: a checkout may change them. */
  checksum: string
  /** Of a file that begins with `-- concurrently`. */
  indexes?: IndexStep[]
}

/** The Supabase CLI's folder: `shim.sql` (ours), `migrations/*.sql`, `seed.sql` (may be missing). */
export interface MigrationFolder {
  shim: string
  migrations: Migration[]
  seed: string | null
}

const FILE_NAME = /^(?<version>\d{14})_(?<name>[a-z0-9_]+)\.sql$/

export const checksumOf = (sql: string): string =>
  createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')

/** @throws MigrationError `bad_name`, `bad_indexes` */
export async function readMigrationFolder(folder: string | URL): Promise<MigrationFolder> {
  const root = folder instanceof URL ? fileURLToPath(folder) : folder
  const files = (await readdir(join(root, 'migrations'))).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    files.map(async (file) => {
      const { version, name } = FILE_NAME.exec(file)?.groups ?? {}
      if (version === undefined || name === undefined) {
        throw new MigrationError(
          'bad_name',
          `Migration ${file} must be named <14 digits>_<name>.sql, with a name of a-z, 0-9 and _.`,
        )
      }
      const sql = await readFile(join(root, 'migrations', file), 'utf8')
      const indexes = isConcurrent(sql) ? { indexes: indexSteps(file, sql) } : {}
      return { version, name, file, sql, checksum: checksumOf(sql), ...indexes }
    }),
  )
  migrations.forEach(({ version, file }, index) => {
    if (version === migrations[index + 1]?.version) {
      throw new MigrationError(
        'bad_name',
        `Migration ${file} shares its version with another; give one a later version.`,
      )
    }
  })
  return {
    migrations,
    shim: await readFile(join(root, 'shim.sql'), 'utf8'),
    seed: await readFile(join(root, 'seed.sql'), 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }),
  }
}
