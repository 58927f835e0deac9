import { readFile } from 'node:fs/promises'
import type { Db } from '@heyline/database'
import { findPostgres, openTestDb, openTestPostgres } from '@heyline/database/testing'

const MIGRATIONS = new URL('../../../../supabase/migrations/', import.meta.url)
/** The platform's own migrations, in order. */
const FILES = ['20261120000200_voice_platform.sql', '20261120000400_voice_platform_tokens.sql']

/** The databases that this machine can test with: Postgres only where it is installed. */
export const PLATFORM_DBS: readonly Db['kind'][] = findPostgres() ? ['pglite', 'postgres'] : ['pglite']

/** A database of its own with the platform's tables, and the roles that the migration names. */
export async function openPlatformDb(kind: Db['kind'] = 'pglite'): Promise<Db> {
  const db = kind === 'pglite' ? await openTestDb() : await openTestPostgres()
  await db.exec('create role anon nologin; create role authenticated nologin;')
  for (const file of FILES) await db.exec(await readFile(new URL(file, MIGRATIONS), 'utf8'))
  return db
}
