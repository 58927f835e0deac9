import type { Db, Queryable } from '@heyline/database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPlatformDb } from '../testing/platform-db.js'
import { chatTexts } from './chat-lists.js'
import { ChatStore } from './chat-store.js'

let db: Db
/** How many whole chats each statement read. */
let read: number[] = []
let store: ChatStore
beforeAll(async () => {
  db = await openPlatformDb()
  await db.query(
    `insert into voice_platform.chats (id, name, is_streamed, input, messages, output, created_at)
     select gen_random_uuid(), n, false, '"Hello"', '[]', '[]', now() - n * interval '1 second' from generate_series(1, 130) n`,
    [],
  )
  const counted: Queryable = {
    exec: (sql) => db.exec(sql),
    query: async <Row>(sql: string, parameters?: readonly unknown[]) => {
      const answer = await db.query<Row>(sql, parameters)
      const whole = answer.rows.filter((row) => 'messages' in Object(row)).length
      if (whole > 0) read.push(whole)
      return answer
    },
  }
  store = new ChatStore(counted)
})
afterAll(() => db.close())

it('a long list of chats is read in parts, when its client takes them', async () => {
  const window = { limit: 1000, page: 1, sortOrder: 'DESC' } as const
  const { first, parts, metadata } = await chatTexts(store, { window, equal: {}, shown: (chat) => chat })
  expect([first.length, read]).toEqual([50, [50]])
  const names: unknown[] = []
  for await (const part of parts?.() ?? []) names.push(...part.map((text) => JSON.parse(text).name))
  expect(names).toEqual(Array.from({ length: 130 }, (_, at) => String(at + 1)))
  expect(read).toEqual([50, 50, 30])
  expect(metadata).toMatchObject({ totalItems: 130, itemsPerPage: 1000 })
})

it('a short one is read at once', async () => {
  read = []
  const window = { limit: 3, page: 2, sortOrder: 'ASC' } as const
  const { first, parts } = await chatTexts(store, { window, equal: {}, shown: (chat) => chat })
  expect([first.map((text) => JSON.parse(text).name), parts, read]).toEqual([
    ['127', '126', '125'],
    undefined,
    [3],
  ])
})
