import { createVisitors } from '@heyline/backend'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { Knowledge } from '@heyline/voice-platform'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Operator } from '../access/operator-access.js'
import { knowledgeHandlers } from './knowledge-handlers.js'

const editor = (userId: string): Operator => ({
  ...{ userId, email: `${userId}@example.com`, role: 'editor', aal: 'aal1', enteredAt: 0 },
})
const ANN = editor('ann')
const BEN = editor('ben')

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
  const added = knowledgeHandlers({ knowledge, visitors }).add(
    { slug: 'leaving', name: 'menu.txt', content },
    { operator: undefined, check: async () => {} },
  )
  await expect(added).rejects.toMatchObject({ code: 'file_gone' })
  expect(await knowledge.files({ visitor: 'leaving' }).list()).toEqual([])
})

it('reads the file of another operator next, however many the first sends', async () => {
  const visitors = createVisitors(db)
  await visitors.add({ slug: 'busy', name: 'Busy' })
  const begun: string[] = []
  let end: () => void = () => undefined
  let begin: () => void = () => undefined
  const knowledge = new Knowledge(db, {
    async read({ content }) {
      const text = Buffer.from(content).toString()
      begun.push(text)
      await new Promise<void>((resolve) => {
        end = resolve
        begin()
      })
      return [{ text }]
    },
  })
  const next = () =>
    new Promise<void>((resolve) => {
      begin = resolve
    })
  const handlers = knowledgeHandlers({ knowledge, visitors })
  const send = (operator: Operator | undefined, text: string) =>
    handlers.add(
      { slug: 'busy', name: `${text}.txt`, content: Buffer.from(text).toString('base64') },
      { operator, check: async () => {} },
    )
  const first = next()
  const sent = ['a1', 'a2', 'a3'].map((text) => send(ANN, text))
  await first
  sent.push(send(BEN, 'b1'), send(undefined, 'k1'))
  // All of them are stored before their turn comes.
  await vi.waitFor(async () => expect(await knowledge.files({ visitor: 'busy' }).list()).toHaveLength(5))
  for (let left = sent.length; left > 0; left -= 1) {
    const more = next()
    end()
    if (left > 1) await more
  }
  await Promise.all(sent)
  expect(begun[0]).toMatch(/^a/)
  expect(begun.slice(1, 3).toSorted()).toEqual(['b1', 'k1'])
})

it('keeps no file of an operator who is removed while it is read', async () => {
  const visitors = createVisitors(db)
  await visitors.add({ slug: 'kept', name: 'Kept' })
  let isOperator = true
  const knowledge = new Knowledge(db, {
    async read() {
      isOperator = false
      return [{ text: 'Menu.' }]
    },
  })
  const check = async () => {
    if (!isOperator) throw new Error('removed')
  }
  const content = Buffer.from('Menu.').toString('base64')
  const added = knowledgeHandlers({ knowledge, visitors }).add(
    { slug: 'kept', name: 'menu.txt', content },
    { operator: ANN, check },
  )
  await expect(added).rejects.toThrow('removed')
  expect(await knowledge.files({ visitor: 'kept' }).list()).toEqual([])
})
