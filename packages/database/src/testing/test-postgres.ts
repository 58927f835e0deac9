import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { Db } from '../db/db.js'
import { migrate } from '../migrator/migrate.js'
import { openPostgres } from '../postgres/open-postgres.js'
import { startPostgres } from './postgres-server.js'
import { closingWith, type TestDbOptions } from './test-db.js'
import { SQL_FOLDER } from './test-directory.js'

const logger = pino({ level: 'silent' })
/** Holds the address of the run's Postgres, for every process of the run. */
const VARIABLE = 'HEYLINE_TEST_POSTGRES'
/** The database of it that the migrated ones are made of. */
const MIGRATED = 'heyline_migrated'

/** Starts the Postgres of this run with a migrated database in it; resolves with what ends it. A run has one, whoever asks. */
export async function startTestPostgres(): Promise<() => Promise<void>> {
  if (process.env[VARIABLE]) return async () => {}
  const { url, stop } = await startPostgres()
  await administer(url, `create database ${MIGRATED}`)
  const db = await openPostgres({ url: databaseOf(url, MIGRATED), logger })
  await migrate(db, { folder: SQL_FOLDER })
  await db.close()
  process.env[VARIABLE] = url
  return async () => {
    delete process.env[VARIABLE]
    await stop()
  }
}

/** A database of its own on the Postgres of this run, which goes away with `close`. Roles belong to all databases of it. */
export async function openTestPostgres({
  content = 'migrated',
  isNew: _, // they all are
  ...options
}: TestDbOptions = {}): Promise<Db> {
  const url = process.env[VARIABLE]
  if (url === undefined)
    throw new Error('No Postgres was started for the tests: startTestPostgres does that.')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(url, `create database ${name} template ${content === 'migrated' ? MIGRATED : 'template0'}`)
  const db = await openPostgres({ ...options, url: databaseOf(url, name), logger })
  return closingWith(db, () => administer(url, `drop database if exists ${name} with (force)`))
}

async function administer(url: string, sql: string): Promise<void> {
  const db = await openPostgres({ url, logger })
  try {
    await db.query(sql)
  } finally {
    await db.close()
  }
}

const databaseOf = (url: string, name: string): string => url.replace('/postgres?', `/${name}?`)
