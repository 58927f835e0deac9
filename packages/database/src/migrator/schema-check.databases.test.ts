import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { DATABASES } from '../testing/databases.js'
import { SQL_FOLDER } from '../testing/test-directory.js'
import { readMigrationFolder } from './migration-folder.js'
import { SchemaCheck } from './schema-check.js'

describe.each(DATABASES)('the schema of $name', ({ open }) => {
  let db: Db
  const check = new SchemaCheck(SQL_FOLDER)
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  const withRows = async (change: string) => {
    const faults = await db
      .transaction(async (tx) => {
        await tx.exec(change)
        throw Object.assign(new Error('undone'), { faults: await check.run(tx) })
      })
      .catch((error: unknown) => error)
    return faults
  }

  it('is right after the migrations', async () => {
    expect(await check.run(db)).toEqual({ missing: [], edited: [] })
  })

  it('lacks what is not in the books, except indexes that are built later', async () => {
    const { migrations } = await readMigrationFolder(SQL_FOLDER)
    const last = migrations.filter(({ indexes }) => !indexes).at(-1)
    const later = migrations.filter(({ indexes }) => indexes)
    expect(later).not.toEqual([])
    const versions = [last, ...later].map((migration) => `'${migration?.version}'`).join()
    expect(
      await withRows(`delete from supabase_migrations.schema_migrations where version in (${versions})`),
    ).toMatchObject({ faults: { missing: [last?.file], edited: [] } })
  })

  it('is not right where another text was applied', async () => {
    const { migrations } = await readMigrationFolder(SQL_FOLDER)
    const [first] = migrations
    const { version, file } = first ?? {}
    expect(
      await withRows(
        `update supabase_migrations.schema_migrations set checksum = 'another' where version = '${version}'`,
      ),
    ).toMatchObject({ faults: { missing: [], edited: [file] } })
  })

  it('lacks everything where nothing was ever migrated', async () => {
    const empty = await open({ content: 'empty' })
    const { missing } = await check.run(empty)
    await empty.close()
    expect(missing.length).toBeGreaterThan(10)
  })
})
