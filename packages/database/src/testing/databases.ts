import type { Db } from '../db/db.js'
import { findPostgres } from './postgres-server.js'
import { openTestDb, type TestDbOptions } from './test-db.js'
import { openTestPostgres } from './test-postgres.js'

/** A kind of database that tests run on; each that is opened is their own, and goes away with `close`. */
export interface TestDatabase {
  kind: Db['kind']
  name: string
  open(options?: TestDbOptions): Promise<Db>
}

const ALL: readonly TestDatabase[] = [
  { kind: 'pglite', name: 'PGlite', open: openTestDb },
  ...(findPostgres() ? [{ kind: 'postgres', name: 'Postgres', open: openTestPostgres } as const] : []),
]

const asked = process.env.HEYLINE_TEST_DATABASE

/** The one that `HEYLINE_TEST_DATABASE` names, or else both: PGlite, and Postgres where it is installed. */
export const DATABASES: readonly TestDatabase[] = ALL.filter(({ kind }) => !asked || kind === asked)
