import { fileURLToPath } from 'node:url'
import { type Db, migrate } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVisitors } from './visitors.js'

let db: Db
beforeAll(async () => {
  db = await openTestDb()
  await migrate(db, { folder: fileURLToPath(new URL('../../../../supabase/', import.meta.url)) })
})
afterAll(() => db.close())

const add = (slug: string, name = 'Somebody') => createVisitors(db).add({ slug, name })

describe('visitors', () => {
  it('are listed, the oldest first, without their prompts', async () => {
    const visitors = createVisitors(db)
    expect(await visitors.add({ slug: 'north-cafe', name: 'North Café', system: 'secret' })).toEqual({
      slug: 'north-cafe',
      name: 'North Café',
    })
    const list = await visitors.list()
    expect(list.slice(0, 2).map(({ slug }) => slug)).toEqual(['default', 'riverside-dental'])
    expect(list.at(-1)).toEqual({ slug: 'north-cafe', name: 'North Café' })
  })

  it('are stored as given, unlisted; empty texts as none', async () => {
    await createVisitors(db).add({ slug: 'full', name: ' Full ', system: 'Be kind.', firstMessage: 'Hello' })
    await createVisitors(db).add({ slug: 'empty', name: 'Empty', system: '', firstMessage: '' })
    const { rows } = await db.query(
      "select slug, name, system, first_message, listed from public.visitors where slug in ('full', 'empty') order by slug",
    )
    expect(rows).toEqual([
      { slug: 'empty', name: 'Empty', system: null, first_message: null, listed: false },
      { slug: 'full', name: 'Full', system: 'Be kind.', first_message: 'Hello', listed: false },
    ])
  })

  it.each(['a', '7', 'A-b_c', 'x'.repeat(64)])('take the slug %j', async (slug) => {
    expect(await add(slug)).toMatchObject({ slug })
  })

  it.each(['', '-a', '_a', 'a b', 'a/b', 'a.b', 'a%', 'a*', 'é', 'a\n', 'x'.repeat(65)])(
    'refuse the slug %j',
    async (slug) => {
      await expect(add(slug)).rejects.toMatchObject({ name: 'VisitorError', code: 'invalid_slug' })
    },
  )

  it.each(['Taken', 'TAKEN', 'taken'])('refuse a slug that is taken, in any case: %s', async (slug) => {
    await add('taken').catch(() => {})
    await expect(add(slug)).rejects.toMatchObject({
      code: 'slug_taken',
      message: expect.stringContaining(slug),
    })
  })

  it.each([
    [{ system: 'x'.repeat(100_001) }, 'A prompt has at most 100000 characters'],
    [{ firstMessage: 'x'.repeat(10_001) }, 'A first message has at most 10000 characters'],
  ])('refuse texts that the voice platform would refuse', async (texts, message) => {
    await expect(createVisitors(db).add({ slug: 'long', name: 'Long', ...texts })).rejects.toMatchObject({
      code: 'invalid_visitor',
      message,
    })
  })

  it('take names of 1 to 200 characters', async () => {
    expect(await add('short', 'X')).toMatchObject({ name: 'X' })
    expect(await add('long', 'n'.repeat(200))).toMatchObject({ name: 'n'.repeat(200) })
    for (const name of ['', '   ', 'n'.repeat(201)])
      await expect(add('other', name)).rejects.toMatchObject({ code: 'invalid_name' })
  })

  it('say that the database cannot be reached', async () => {
    const closed = await openTestDb()
    await closed.close()
    await expect(createVisitors(closed).add({ slug: 'a', name: 'A' })).rejects.toMatchObject({
      code: 'visitors_unreachable',
    })
  })
})
