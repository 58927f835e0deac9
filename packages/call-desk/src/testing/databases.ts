import { type Db, migrate } from '@heyline/database'
import { findPostgres, openTestDb, openTestPostgres } from '@heyline/database/testing'
import { it } from 'vitest'

const hasPostgres = findPostgres() !== undefined
// Each file of tests that asks for the databases counts what it leaves out.
if (!hasPostgres) it.skip('the same on Postgres (left out: Postgres is not installed here)')

/** What a desk can run on, each migrated and of its own; Postgres only where it is installed. */
export const deskDatabases: readonly { name: string; open(): Promise<Db> }[] = [
  { name: 'PGlite', open: () => openTestDb().then(migrated) },
  ...(hasPostgres ? [{ name: 'Postgres', open: () => openTestPostgres().then(migrated) }] : []),
]

async function migrated(db: Db): Promise<Db> {
  await migrate(db, { folder: new URL('../../../../supabase/', import.meta.url) })
  return db
}
