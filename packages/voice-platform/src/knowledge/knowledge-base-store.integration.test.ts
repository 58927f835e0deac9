import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPlatformDb } from '../testing/platform-db.js'
import { KnowledgeBaseStore } from './knowledge-base-store.js'

let db: Db
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(() => db.exec('delete from voice_platform.knowledge_bases'))

const ids = (count: number) => Array.from({ length: count }, () => randomUUID())
const full = { status: 400, message: expect.stringContaining('Delete those that are not needed') }

it('stores each file of a knowledge base once', async () => {
  const bases = new KnowledgeBaseStore(db)
  const [one = '', other = ''] = ids(2)
  const base = await bases.create({ fileIds: [one, other, one, one.toUpperCase()] })
  expect(base).toMatchObject({ fileIds: [one, other] })
  expect(await bases.update(base.id, { fileIds: [other, other] })).toMatchObject({ fileIds: [other] })
})

it('holds 10,000, and says what to do then', async () => {
  await db.exec(
    `insert into voice_platform.knowledge_bases (file_ids) select '{}' from generate_series(1, 9999)`,
  )
  const bases = new KnowledgeBaseStore(db)
  const last = await bases.create({ name: 'last' })
  await expect(bases.create({ name: 'one more' })).rejects.toMatchObject(full)
  expect(await bases.update(last.id, { name: 'changed' })).toMatchObject({ name: 'changed' })
  await bases.delete(last.id)
  expect(await bases.create({ name: 'one more' })).toMatchObject({ name: 'one more' })
})

it('holds so many bytes of all together: new ones and growing ones count, smaller ones never', async () => {
  const bases = new KnowledgeBaseStore(db, undefined, { count: 10, bytes: 10_000 })
  const large = await bases.create({ fileIds: ids(400) })
  const small = await bases.create({ fileIds: ids(100) })
  await expect(bases.create({ fileIds: ids(200) })).rejects.toMatchObject(full)
  await expect(bases.update(small.id, { fileIds: ids(400) })).rejects.toMatchObject(full)
  expect(await bases.get(small.id)).toEqual(small)
  const tight = new KnowledgeBaseStore(db, undefined, { count: 10, bytes: 1_000 })
  expect(await tight.update(large.id, { name: 'L' }).catch(({ status }) => status)).toBe(400)
  expect(await tight.update(large.id, { fileIds: ids(300) })).toMatchObject({ id: large.id })
  expect(await bases.update(small.id, { fileIds: ids(200) })).toMatchObject({ id: small.id })
  expect(await bases.update(randomUUID(), { name: 'nobody' })).toBeUndefined()
})
