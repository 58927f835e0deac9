import { setTimeout as delay } from 'node:timers/promises'
import { createVisitors, type NewVisitor } from '@heyline/backend'
import { type Db, DEFAULT_PATIENCE_MS } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { undoable } from './visitor-undo.js'

const ADA = 'abcdef01-0000-4000-8000-000000000001'
const visitor = (slug: string) => ({ slug, name: 'Ada' })
/** Longer than a transaction may idle. */
const standStill = () => delay(DEFAULT_PATIENCE_MS + 1_000)

describe.each(DATABASES)('a process that stands still lets go of the visitors, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  const slugs = async () =>
    (await db.query<{ slug: string }>("select slug from public.visitors where name = 'Ada'")).rows

  it('in an import', async () => {
    async function* batches(): AsyncGenerator<NewVisitor[]> {
      yield [visitor('one')]
      await standStill()
      yield [visitor('two')]
    }
    await expect(createVisitors(db).import(batches())).rejects.toMatchObject({ cause: { code: '25P03' } })
    expect(await slugs()).toEqual([])
  })

  it('in a change that can be undone', async () => {
    const changing = undoable(db, { userId: ADA, what: 'visitors_imported' }, async (tx) => {
      await tx.query("insert into public.visitors (slug, name) values ('one', 'Ada')")
      await standStill()
      await tx.query('select 1')
    })
    await expect(changing).rejects.toMatchObject({ code: '25P03' })
    expect(await slugs()).toEqual([])
  })
})
