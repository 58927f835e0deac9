import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { DATABASES } from './databases.js'

describe.each(DATABASES)('a test database on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  it('passes on how patient a transaction is', async () => {
    const idle = db.transaction(() => new Promise((resolve) => setTimeout(resolve, 1_000)), {
      patienceMs: 100,
    })
    await expect(idle).rejects.toMatchObject({ code: '25P03', message: expect.stringContaining('100 ms') })
  })

  it('passes on that a statement is kept', async () => {
    const sql = 'select $1::int as kept'
    await db.query(sql, [1], { prepared: true })
    const { rows } = await db.query('select from pg_prepared_statements where statement = $1', [sql])
    expect(rows).toHaveLength(1)
  })
})
