import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { officeOfMany } from '../testing/office-of-many.js'

let db: Db
beforeAll(async () => {
  db = await openTestDb()
})
afterAll(() => db.close())

it.each([
  ['/calls/search?minSeconds=1e308', 'minSeconds'],
  ['/calls/search?since=0000-01-01T00:00:00Z', 'since'],
  ['/timeline/events?since=0000-01-01T00:00:00Z', 'since'],
  ['/timeline/visitors?after=9999-99-99T99:99:99Z%20ann', 'after'],
  ['/timeline/visitors?after=2026-02-30T10:00:00.000Z%20ann', 'after'],
  ['/timeline/visitors?after=2026-02-03T10:00:00.000Z', 'after'],
])('refuses a value that Postgres does not have, in words of ours: %s', async (path, field) => {
  const answer = await officeOfMany(db)(path, 'viewer.ann.y')
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ code: 'invalid_request', message: `${field} can not be read`, field })
})

it.each([
  '/calls/search?minSeconds=86400&since=0001-01-01T00:00:00Z',
  '/timeline/visitors?after=2026-02-03T10:00:00.000Z%20ann%20b',
])('takes one that it has: %s', async (path) => {
  expect((await officeOfMany(db)(path, 'viewer.ann.y')).status).toBe(200)
})
