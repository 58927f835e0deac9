import { DatabaseError } from '@heyline/database'
import { BoundedLog } from '@heyline/kit/bounded-log'
import { ManualClock } from '@heyline/kit/manual-clock'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { failedRequest } from './failed-request.js'

it('answers each with 500, and writes few lines of a kind however many fail', async () => {
  const lines: { kind: string; level: number; path?: string }[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const log = new BoundedLog({ logger, clock: new ManualClock() })
  const app = new Hono()
  app.onError(failedRequest(log))
  app.get('/text', () => {
    throw Object.assign(new Error('invalid byte sequence'), { code: '22021' })
  })
  app.get('/other', () => {
    throw new TypeError('no function')
  })
  for (let time = 0; time < 100; time++) expect((await app.request('/text')).status).toBe(500)
  expect(await (await app.request('/other')).json()).toMatchObject({ code: 'internal' })
  expect(lines.map(({ kind }) => kind)).toEqual([...Array(20).fill('Error 22021'), 'TypeError'])
  expect(lines[0]).toMatchObject({ level: 50, path: '/text', err: { message: 'invalid byte sequence' } })
})

it('answers 503 while the database is away, and says nothing of where it is', async () => {
  const app = new Hono()
  app.onError(failedRequest(new BoundedLog({ logger: pino({ level: 'silent' }), clock: new ManualClock() })))
  app.get('/', () => {
    throw new DatabaseError('connect ECONNREFUSED 10.0.0.1:5432', { code: '08006' })
  })
  const answer = await app.request('/')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await answer.json()).toEqual({
    code: 'database_away',
    message: 'The database cannot be used now: try again in a moment',
  })
})
