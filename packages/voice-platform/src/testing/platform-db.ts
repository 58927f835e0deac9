import type { Db } from '@heyline/database'
import { DATABASES, openTestDb, openTestPostgres } from '@heyline/database/testing'

/** The kinds of database that this run tests on. */
export const PLATFORM_DBS: readonly Db['kind'][] = DATABASES.map(({ kind }) => kind)

/** A database of its own. */
export const openPlatformDb = (kind: Db['kind'] = 'pglite'): Promise<Db> =>
  kind === 'pglite' ? openTestDb() : openTestPostgres()
