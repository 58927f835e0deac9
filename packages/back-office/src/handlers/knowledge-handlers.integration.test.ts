import { createVisitors } from '@heyline/backend'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { Knowledge } from '@heyline/voice-platform'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knowledgeHandlers } from './knowledge-handlers.js'

let db: Db
beforeAll(async () => {
  db = await openTestDb()
})
afterAll(() => db.close())

it('keeps no file of a visitor who is removed before it is stored, and says so', async () => {
  const stored = createVisitors(db)
  await stored.add({ slug: 'leaving', name: 'Leaving' })
  const knowledge = new Knowledge(db, { read: async () => [{ text: 'Menu.' }] })
  let isThere = true
  const visitors = {
    async show(slug: string) {
      const visitor = await stored.show(slug)
      if (isThere) await stored.remove(slug)
      isThere = false
      return visitor
    },
  }
  const content = Buffer.from('Menu.').toString('base64')
  const added = knowledgeHandlers({ knowledge, visitors }).add({ slug: 'leaving', name: 'menu.txt', content })
  await expect(added).rejects.toMatchObject({ code: 'file_gone' })
  expect(await knowledge.files({ visitor: 'leaving' }).list()).toEqual([])
})
