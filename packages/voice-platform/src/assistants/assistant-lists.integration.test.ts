import type { Db, Queryable } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListedTexts } from '../resources/texts-in-parts.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { AssistantLists } from './assistant-lists.js'
import { AssistantStore } from './assistant-store.js'

const TABLE = 'voice_platform.assistants'
const PAGE = { limit: 1000, page: 1, sortOrder: 'ASC' } as const
const write = async (some: readonly object[]) => some.map((one) => JSON.stringify(one))
const taken = async (parts: ListedTexts['parts']) => {
  const all: (readonly string[])[] = []
  for await (const part of parts?.() ?? []) all.push(part)
  return all
}
const namesOf = (texts: readonly string[]): unknown[] => texts.map((text) => JSON.parse(text).name)
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at))

let db: Db
/** The length of the settings that each statement read. */
let read: number[] = []
let lists: AssistantLists
beforeAll(async () => {
  db = await openPlatformDb()
  const counted: Queryable = {
    exec: (sql) => db.exec(sql),
    query: async <Row>(sql: string, parameters?: readonly unknown[]) => {
      const answer = await db.query<Row>(sql, parameters)
      const whole = answer.rows.filter((row) => 'settings' in Object(row))
      if (whole.length > 0) read.push(JSON.stringify(whole).length)
      return answer
    },
  }
  lists = new AssistantLists(new AssistantStore(counted))
})
beforeEach(async () => {
  await db.query(`delete from ${TABLE}`, [])
  read = []
})
afterAll(() => db.close())

/** Assistants 1 to `count`, the first of which is the newest, each with so many characters that Postgres packs to about a half, or to a hundredth. */
const store = (count: number, characters: number, text: 'prose' | 'same' = 'prose') =>
  db.query(
    `insert into ${TABLE} (settings, created_at)
     select jsonb_build_object('name', n::text, 'firstMessage', ${text === 'same' ? `repeat('x', $2::int)` : `left((select string_agg(md5(n || '-' || k), ' ') from generate_series(0, $2::int / 33) k), $2::int)`}),
       now() - n * interval '1 second'
     from generate_series(1, $1::int) n`,
    [count, characters],
  )

describe('a list of long prompts', () => {
  it('is read in parts of less than a megabyte, when its client takes them', async () => {
    await store(60, 99_000)
    const { first, parts } = await lists.list({ limit: 100 }, write)
    expect(read).toHaveLength(1)
    const [begin = [], ...others] = await taken(parts)
    expect(begin).toBe(first)
    expect(namesOf([begin, ...others].flat())).toEqual(numbers(1, 60))
    expect(Math.max(...read)).toBeLessThan(1_000_000)
  })

  it('is so where Postgres packs them to a hundredth', async () => {
    await store(100, 200_000, 'same')
    const { parts } = await lists.list({ limit: 100 }, write)
    expect(namesOf((await taken(parts)).flat())).toEqual(numbers(1, 100))
    expect(Math.max(...read)).toBeLessThan(6_000_000)
  })

  it('leaves out what is deleted meanwhile', async () => {
    await store(30, 99_000)
    const { parts } = await lists.page(PAGE, write)
    await db.query(`delete from ${TABLE} where settings ->> 'name' = '2'`, [])
    const names = namesOf((await taken(parts)).flat())
    expect(names).toEqual(['1', ...numbers(3, 30)].reverse())
  })
})

it('a short list is read at once', async () => {
  await store(19, 100)
  expect(namesOf((await lists.list({ limit: 3 }, write)).first)).toEqual(numbers(1, 3))
  const { first, parts, metadata } = await lists.page({ ...PAGE, page: 2, limit: 4 }, write)
  expect([namesOf(first), parts]).toEqual([numbers(12, 15).reverse(), undefined])
  expect(metadata).toMatchObject({ totalItems: 19, currentPage: 2, totalPages: 5 })
  expect(read).toHaveLength(2)
})

it('an empty one asks for no rows', async () => {
  expect(await lists.list({ limit: 100 }, write)).toEqual({ first: [] })
  await store(1, 10)
  expect((await lists.page({ ...PAGE, page: 2 }, write)).first).toEqual([])
  expect(read).toEqual([])
})
