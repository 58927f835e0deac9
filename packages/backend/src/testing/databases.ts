import type { Db } from '@heyline/database'
import { findPostgres, openTestDb, openTestPostgres } from '@heyline/database/testing'
import { it } from 'vitest'

/** A database of its own, which goes away with `close`. */
export interface TestDatabase {
  name: string
  open: () => Promise<Db>
}

const postgres = findPostgres()
// Each file of tests that asks for the databases counts what it leaves out.
if (!postgres) it.skip('the same on Postgres (left out: Postgres is not installed here)')

/** Both kinds of database, or PGlite alone where no Postgres is installed. */
export const DATABASES: readonly TestDatabase[] = [
  { name: 'PGlite', open: openTestDb },
  ...(postgres ? [{ name: 'Postgres', open: openTestPostgres }] : []),
]
