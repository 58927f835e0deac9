import type { Db, Queryable } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPlatformDb } from '../testing/platform-db.js'
import { pageWindow } from './list-page.js'
import { listWindow } from './list-window.js'
import { ResourceStore } from './resource-store.js'

const FAMILY = { name: 'template', secrets: { server: ['secret'] }, destinations: [] }
const WINDOW = { limit: listWindow.limit.parse('1000') }
const PAGE = { ...WINDOW, page: pageWindow.page.parse('1'), sortOrder: pageWindow.sortOrder.parse('ASC') }
const KEY = new Uint8Array(32)

let db: Db
let read: string[] = []
let store: ResourceStore
beforeAll(async () => {
  db = await openPlatformDb()
  const counted: Queryable = {
    exec: (sql) => db.exec(sql),
    query: async <Row>(sql: string, parameters?: readonly unknown[]) => {
      const answer = await db.query<Row>(sql, parameters)
      read.push(
        ...answer.rows.flatMap((row) =>
          'settings' in Object(row) ? [String(Reflect.get(Object(row), 'id'))] : [],
        ),
      )
      return answer
    },
  }
  store = new ResourceStore(counted, FAMILY, KEY)
})
beforeEach(async () => {
  await db.query('delete from voice_platform.resources', [])
  read = []
})
afterAll(() => db.close())

/** Rows that say that they are so large. */
const claim = (count: number, bytes: number | null, family = 'template') =>
  db.query(
    `insert into voice_platform.resources (family, settings, bytes) select $1::text, '{}', $2::int from generate_series(1, $3::int)`,
    [family, bytes, count],
  )
const bytesOf = async (id: string) =>
  (
    await db.query<{ bytes: number; size: number }>(
      `select bytes, octet_length(settings::text) + coalesce(octet_length(sealed), 0) as size from voice_platform.resources where id = $1`,
      [id],
    )
  ).rows[0]

describe('a list that is too large', () => {
  it.each([
    ['list', () => store.list(WINDOW)],
    ['page', () => store.page(PAGE)],
  ])('is refused before any of its rows is read: %s', async (_, list) => {
    await claim(120, 900_000)
    await expect(list()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('more than 8 MB'),
    })
    expect(read).toEqual([])
  })

  it('is so by its secrets, too, and by what the version before has stored', async () => {
    for (let at = 0; at < 9; at++) await store.create({ server: { secret: 'x'.repeat(700_000) } })
    read = []
    await expect(store.list(WINDOW)).rejects.toMatchObject({ status: 400 })
    expect(read).toEqual([])
    await db.query('update voice_platform.resources set bytes = null', [])
    await expect(store.list(WINDOW)).rejects.toMatchObject({ status: 400 })
    expect(read).toEqual([])
  })
})

describe('a list of too many values', () => {
  /** Rows whose values are as many as a body may have. */
  const many = (count: number) =>
    db.query(
      `insert into voice_platform.resources (family, settings)
       select 'template', jsonb_build_object('details', (select jsonb_agg('{}'::jsonb) from generate_series(1, 29990)))
       from generate_series(1, $1::int)`,
      [count],
    )

  it.each([
    ['list', () => store.list(WINDOW)],
    ['page', () => store.page(PAGE)],
  ])('is refused before the others are read: %s', async (_, list) => {
    await many(30)
    await expect(list()).rejects.toMatchObject({
      status: 400,
      message: 'These have more than 300000 values: ask for fewer at a time, with limit.',
    })
    expect(read.length).toBeLessThan(20)
  })

  it('is no list of ten', async () => {
    await many(10)
    expect(await store.list(WINDOW)).toHaveLength(10)
  })

  it('is read in parts, whose rows keep their order', async () => {
    const made = []
    for (let at = 0; at < 25; at++)
      made.push(await store.create({ name: String(at), text: 'x'.repeat(60_000) }))
    read = []
    expect((await store.page(PAGE)).results.map(({ id }) => id).sort()).toEqual(
      made.map(({ id }) => id).sort(),
    )
    expect(read).toHaveLength(25)
    expect((await store.list(WINDOW)).map(({ name }) => Number(name))).toEqual(made.map((_, at) => 24 - at))
  })
})

describe('the bytes of a family', () => {
  const full = {
    status: 400,
    message: expect.stringMatching(/^All of template together would have more than 200 MB\. Delete/),
  }

  it('are bounded, whether one is added or grows', async () => {
    const { id } = await store.create({ name: 'first' })
    await claim(200, 999_950)
    await expect(store.create({ details: { text: 'x'.repeat(20_000) } })).rejects.toMatchObject(full)
    await expect(store.update(id, { details: { text: 'x'.repeat(20_000) } })).rejects.toMatchObject(full)
    expect(await store.update(id, { name: 'f' })).toMatchObject({ name: 'f' })
    await db.query(
      `delete from voice_platform.resources where id in (select id from voice_platform.resources where id <> $1 limit 1)`,
      [id],
    )
    expect(await store.create({ details: { text: 'x'.repeat(20_000) } })).toMatchObject({
      id: expect.any(String),
    })
  })

  it('of another family do not count', async () => {
    await claim(300, 999_999, 'session')
    expect(await store.create({ name: 'first' })).toMatchObject({ name: 'first' })
  })

  it('say it in other words where there are ten thousand', async () => {
    await claim(10_000, 2)
    await expect(store.create({})).rejects.toMatchObject({
      message: 'There are 10000 of template already. Delete some first.',
    })
  })

  it('are those of its settings and secrets, from the first on and after each change', async () => {
    const { id } = await store.create({ name: 'ä', server: { url: 'https://a.example', secret: 'x' } })
    const before = await bytesOf(id)
    await store.update(id, { server: { url: 'https://a.example', secret: 'longer' }, more: [1, 2] })
    const after = await bytesOf(id)
    for (const row of [before, after]) expect(row?.bytes).toBe(row?.size)
    expect(after?.bytes).toBeGreaterThan(before?.bytes ?? 0)
  })
})
