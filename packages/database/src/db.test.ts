import { pino } from 'pino'
import { afterAll, beforeAll, describe } from 'vitest'
import { describeDb } from './contract/db.contract.js'
import type { Db } from './db/db.js'
import { openPostgres } from './postgres/open-postgres.js'
import { findPostgres, startPostgres } from './testing/postgres-server.js'
import { openTestDb } from './testing/test-db.js'

describeDb('PGlite', openTestDb)

const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'
describe.skipIf(missing !== '')(`a real Postgres${missing}`, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await server.stop()
  })
  describeDb(
    'Postgres',
    (options): Promise<Db> =>
      openPostgres({ ...options, url: server.url, logger: pino({ level: 'silent' }) }),
  )
})
