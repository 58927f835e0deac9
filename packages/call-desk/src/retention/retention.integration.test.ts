import type { Db } from '@heyline/database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDeskDb } from '../testing/desk.js'
import { cleanUp, forgetTranscripts } from './retention.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())

it('forgets what was said in calls of more than so many days ago, and keeps what they were', async () => {
  await db.exec(
    `insert into call_desk.call_requests (phone, slug, body_hash, state, outcome, cost_microusd, transcript, summary, created_at)
     select '+14155552671', 'acme', 'hash', 'ended', 'completed', days, 'User: Hello.', 'A greeting.', now() - days * interval '1 day'
     from (values (89), (91)) as calls (days)`,
  )
  expect(await forgetTranscripts(db, 90)).toBe(1)
  const { rows } = await db.query(
    'select cost_microusd::int as days, outcome, transcript, summary from call_desk.call_requests order by 1',
  )
  expect(rows).toEqual([
    { days: 89, outcome: 'completed', transcript: 'User: Hello.', summary: 'A greeting.' },
    { days: 91, outcome: 'completed', transcript: null, summary: null },
  ])
  expect(await forgetTranscripts(db, 90)).toBe(0)
})

it('forgets the ids of messages after a week, and messages that were given up after a month', async () => {
  await db.exec(`
    insert into call_desk.inbox (id, done_at, run_at, received_at) values
      ('old', now() - interval '8 days', now(), now() - interval '8 days'),
      ('new', now() - interval '6 days', now(), now() - interval '6 days'),
      ('given up long ago', null, 'infinity', now() - interval '31 days'),
      ('given up', null, 'infinity', now() - interval '29 days'),
      ('waiting', null, now(), now() - interval '31 days')`)
  await cleanUp(db)
  const { rows } = await db.query('select id from call_desk.inbox order by id')
  expect(rows).toEqual([{ id: 'given up' }, { id: 'new' }, { id: 'waiting' }])
})
