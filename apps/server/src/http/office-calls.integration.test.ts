import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type CallOffice, RecordsError } from '@heyline/call-desk'
import { type Db, migrate } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runningCalls } from '../calls/running-calls.js'
import { SQL_FOLDER } from '../database/open-db.js'
import { testEndpoints, UNASKED_PARTS } from '../testing/office-parts.js'
import { ownVisitors } from '../visitors/own-visitors.js'
import { office } from './office.js'

const secret = 'sb_secret_of_the_test'
let db: Db
let server: Server
let url: string
let calls: CallOffice
/** Every address that was asked for. */
const asked: string[] = []

beforeAll(async () => {
  db = await openTestDb()
  await migrate(db, { folder: SQL_FOLDER })
  const app = office({
    ...ownVisitors(db),
    ...UNASKED_PARTS,
    db,
    endpoints: testEndpoints(db),
    secretKey: secret,
    addressOf: () => undefined,
    publicUrl: 'http://localhost:3000',
    origins: [],
    operators: undefined,
  })
  const answer = getRequestListener((request) => {
    asked.push(request.url)
    const path = new URL(request.url)
    path.pathname = path.pathname.replace('/-/office', '')
    return app.fetch(new Request(path, request))
  })
  server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${Object(server.address()).port}`
  calls = runningCalls(url, secret)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await db.close()
})
beforeEach(() => db.exec('delete from call_desk.call_requests; delete from call_desk.do_not_call'))

const id = 'abcdef01-0000-4000-8000-000000000000'
const store = (fields = "'ended'") =>
  db.exec(`insert into call_desk.call_requests (id, phone, slug, body_hash, outcome, transcript, state)
    values ('${id}', '+14155552671', 'acme', 'x', 'completed', 'AI: Hello', ${fields})`)

it('lists, shows and exports as the database does', async () => {
  await store()
  const { calls: list, next } = await calls.list({ limit: 10, state: 'ended', slug: 'acme' })
  expect([list, next]).toEqual([[expect.objectContaining({ id, phone: '…71', outcome: 'completed' })], null])
  expect((await calls.list({ limit: 10, slug: 'other' })).calls).toEqual([])
  expect(await calls.show('abcdef')).toMatchObject({ phone: '+14155552671', transcript: 'AI: Hello' })
  const parts = []
  for await (const part of calls.export()) parts.push(part)
  expect(parts.flat()).toEqual([await calls.show(id)])
})

it('streams changes as they come, and stops when nobody listens', async () => {
  const left = new AbortController()
  const changes = calls.follow(left.signal)[Symbol.asyncIterator]()
  const first = changes.next()
  // The stream tells changes from its beginning on, and nobody hears when that was: so there is one until it is heard.
  const timer = setInterval(() => void store().catch(() => {}), 50)
  expect((await first).value).toMatchObject([
    { id, state: 'queued' },
    { id, state: 'ended', slug: 'acme', phone: '…71' },
  ])
  clearInterval(timer)
  left.abort()
  expect((await changes.next()).done).toBe(true)
})

it('pauses, resumes, resets and tells how it stands', async () => {
  await store("'in-progress'")
  expect(await calls.pause()).toMatchObject({ inFlight: 1, pausedAt: expect.any(String) })
  expect(await calls.status()).toMatchObject({ pausedAt: expect.any(String) })
  expect(await calls.resume()).toMatchObject({ pausedAt: null })
  expect(await calls.resetSlug('acme')).toEqual({ slug: 'acme' })
})

it('counts pauses and resumes in the audit beyond some of an hour', async () => {
  await db.exec('delete from back_office.audit')
  for (let time = 0; time < 23; time++) await calls.resume()
  const { rows } = await db.query(
    "select detail ->> 'times' as times from back_office.audit where action = 'calls_resumed' order by id",
  )
  expect(rows).toEqual([...Array(19).fill({ times: null }), { times: '4' }])
})

it('keeps the do-not-call list, and no number is in an address', async () => {
  const { doNotCall } = calls
  asked.length = 0
  expect(await doNotCall.add(['+1 415 555 2671'])).toEqual({ numbers: ['+14155552671'], added: 1 })
  expect(await doNotCall.import(['+14155552671', '+14155552672'])).toEqual({ added: 1 })
  expect((await doNotCall.list({ limit: 1 })).next).toBe('+14155552671')
  expect((await doNotCall.list({ limit: 1, after: '+14155552671' })).numbers).toMatchObject([
    { phone: '+14155552672', source: 'import' },
  ])
  expect(await doNotCall.remove('+14155552672')).toEqual({ number: '+14155552672' })
  await expect(doNotCall.remove('+14155552672')).rejects.toMatchObject({ code: 'not_listed' })
  expect(asked).toHaveLength(6)
  expect(asked.join()).not.toMatch(/415\d{7}/)
})

it.each([
  ['call_not_found', () => calls.show('abcdef')],
  ['invalid_id', () => calls.show('x')],
  ['slug_not_called', () => calls.resetSlug('nobody')],
  ['invalid_phone', () => calls.doNotCall.add(['+1415555'])],
  ['invalid_request', () => calls.list({ limit: 1, since: 'yesterday' })],
  ['calls_unreachable', () => runningCalls(url, 'wrong').status()],
  ['calls_unreachable', () => runningCalls('http://127.0.0.1:9', secret).pause()],
])('says %s as the database would', async (code, ask) => {
  const error = await ask().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RecordsError)
  expect(error).toMatchObject({ code })
  expect(String(error)).not.toMatch(/1415/)
})

it('takes a million numbers in pieces, and no more', async () => {
  const numbers = Array.from({ length: 40_000 }, (_, n) => `+1415${5_550_000 + n}`)
  expect(await calls.doNotCall.import(numbers)).toEqual({ added: 40_000 })
  const bad = [...numbers, '1', ...numbers]
  await expect(calls.doNotCall.import(bad)).rejects.toMatchObject({ code: 'invalid_phone' })
  const longer = Array.from({ length: 1_000_001 }, () => '+14155552671000000')
  await expect(calls.doNotCall.import(longer)).rejects.toMatchObject({ code: 'too_large' })
})

it('takes no longer body than it has to', async () => {
  const numbers = Array.from({ length: 20_000 }, () => '+14155552671')
  await expect(calls.doNotCall.add(numbers)).rejects.toMatchObject({ code: 'too_large' })
  expect(await calls.doNotCall.import(numbers)).toEqual({ added: 1 })
})
