import { openTestDb } from '@heyline/database/testing'
import { expect, it } from 'vitest'
import { codeOf, rowsOf } from './testing/markdown.js'
import { textOf } from './testing/tree.js'

it('says of every table what bounds it, and of no other', async () => {
  const db = await openTestDb()
  try {
    const { rows } = await db.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const stated = rowsOf(textOf('docs/data.md')).map(([table = '', holds = '', bound = '']) => {
      expect([holds, bound], table).not.toContain('')
      return codeOf(table)[0]
    })
    expect(stated.sort()).toEqual(rows.map(({ name }) => name).sort())
  } finally {
    await db.close()
  }
})
