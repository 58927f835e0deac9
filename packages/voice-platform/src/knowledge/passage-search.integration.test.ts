import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Knowledge } from './knowledge.js'
import { PassageSearch } from './passage-search.js'

/** In so many passages a word is common. */
const COMMON = 300

let db: Db
let fileId: string
beforeAll(async () => {
  db = await openTestDb()
  const texts = Array.from({ length: COMMON + 50 }, (_, index) => `Pizza number ${index} is baked here.`)
  texts.push('Our pizza has a margherita crust.', 'The calzone is folded.')
  const knowledge = new Knowledge(db, { read: async () => texts.map((text) => ({ text })) })
  ;({ id: fileId } = await knowledge.take(
    'installation',
    { name: 'menu.txt', content: Buffer.from('.') },
    'private key',
  ))
})
afterAll(() => db.close())

it('finds the same by common words, once it knows them', async () => {
  const search = new PassageSearch(db)
  const find = async (question: string) =>
    (await search.find({ fileIds: [fileId], languages: ['english'] }, question)).map(({ text }) => text)
  const questions = ['pizza', 'pizza margherita', 'pizza calzone', 'unicorn pizza']
  const first = []
  for (const question of questions) first.push(await find(question))
  const again = []
  for (const question of questions) again.push(await find(question))
  expect(again.map((texts) => texts[0])).toEqual(first.map((texts) => texts[0]))
  expect(again[0]).toHaveLength(4)
  expect(again[1]?.[0]).toBe('Our pizza has a margherita crust.')
  expect(again[2]?.[0]).toBe('The calzone is folded.')
  expect(again[3]).toHaveLength(4)
  expect(await find('unicorn')).toEqual([])
})

it('remembers which words are common in these files, and in no others', async () => {
  const asked: unknown[] = []
  const search = new PassageSearch({
    ...{ exec: (sql: string) => db.exec(sql) },
    query: (sql, params, options) => {
      asked.push(params?.[1])
      return db.query(sql, params, options)
    },
  } as Db)
  const find = (question: string) => search.find({ fileIds: [fileId], languages: ['english'] }, question)
  await find('baked pizza')
  await find('pizza crust')
  expect(asked[1]).toEqual([
    { word: 'pizza', common: true },
    { word: 'crust', common: false },
  ])
  // Of other files it knows nothing.
  await search.find({ fileIds: [crypto.randomUUID()], languages: ['english'] }, 'pizza')
  expect(asked[2]).toEqual([{ word: 'pizza', common: false }])
})
