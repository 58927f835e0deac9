import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Operator, OperatorsError, openConsoleDoors, type Role, readAudit } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { systemClock } from '@heyline/kit/clock'
import { recordEvent } from '@heyline/timeline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OperatorsEnd } from '../ends/operators-end.js'
import { testEndpoints, UNASKED_PARTS } from '../testing/office-parts.js'
import { ownVisitors } from '../visitors/own-visitors.js'
import { office } from './office.js'

const KEY = 'sb_secret_of_the_test'
const told: string[] = []
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  told.push(body)
  response.writeHead(204).end()
})
let db: Db
let target: string
let app: ReturnType<typeof office>
beforeAll(async () => {
  db = await openTestDb()
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  app = openOffice()
})
afterAll(async () => {
  receiver.close()
  await db.close()
})

/** Whoever sends `ROLE.x.y` is an operator of this role, who has just signed in. */
const access = {
  enter: async (token: string): Promise<Operator> => {
    const role = token.split('.')[0] as Role
    return { userId: role, email: `${role}@example.com`, role, aal: 'aal1', enteredAt: Date.now() }
  },
}
const operators: OperatorsEnd['operators'] = {
  as: () => {
    throw new OperatorsError('forbidden', 'not asked')
  },
  hasOwner: async () => true,
  setUp: async () => ({ email: '', isNew: true }),
}

function openOffice() {
  const url = 'http://localhost:3000'
  const doors = openConsoleDoors({
    db,
    key: new Uint8Array(32),
    clock: systemClock,
    wire: { url: `${url}/-/backend/auth/v1`, secretKey: KEY },
    access,
    operators,
    consoleUrl: `${url}/-/console/`,
    isOwnEnd: true,
  })
  return office({
    ...UNASKED_PARTS,
    db,
    endpoints: testEndpoints(db),
    ...ownVisitors(db),
    secretKey: KEY,
    addressOf: () => '192.0.2.1',
    publicUrl: url,
    origins: [url],
    operators: { access, operators, doors },
  })
}

async function ask(method: string, path: string, body?: unknown, bearer = 'owner.x.y') {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const answer = await app.request(`/timeline/endpoints${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, given: await answer.json() }
}
const add = async (changes: object = {}) =>
  await ask('POST', '', { name: 'CRM', kind: 'webhook', target, events: ['page.opened'], ...changes })

it('adds, changes, rotates and removes an endpoint, and records who did', async () => {
  const { status, given } = await add()
  expect([status, given]).toMatchObject([200, { name: 'CRM', secret: expect.stringMatching(/^whsec_/) }])
  const { id, secret, ...shown } = given
  expect((await ask('GET', '', undefined, 'editor.x.y')).given).toEqual([{ id, ...shown }])
  const changed = await ask('PATCH', `?id=${id}`, { name: 'Sales', isEnabled: false })
  expect(changed.given).toMatchObject({ name: 'Sales', disabledReason: 'An operator disabled it' })
  const rotated = await ask('POST', '/rotate', { id })
  expect(rotated.given.secret).toMatch(/^whsec_/)
  expect(rotated.given.secret).not.toBe(secret)
  expect((await ask('DELETE', `?id=${id}`)).given).toMatchObject({ id })
  expect(await ask('DELETE', `?id=${id}`)).toMatchObject({
    status: 404,
    given: { code: 'endpoint_not_found' },
  })
  const detail = { name: 'Sales', kind: 'webhook' }
  expect(await readAudit(db, 4)).toMatchObject([
    { action: 'endpoint_removed', actor: 'owner@example.com', detail },
    { action: 'endpoint_rotated', detail },
    { action: 'endpoint_changed', detail },
    { action: 'endpoint_added', detail: { name: 'CRM', kind: 'webhook' } },
  ])
})

it.each([
  [{ name: '' }, 'name', /^Give the endpoint a name/],
  [{ name: 'a\nb' }, 'name', /one line/],
  [{ events: [] }, 'events', /^Choose at least one event/],
  [{ events: ['page.closed'] }, 'events.0', /^Choose at least one event/],
  [{ target: '' }, 'target', /^Give an https address/],
  [{ target: 'ftp://a.example' }, 'target', /^The address /],
  [{ kind: 'fax' }, 'kind', /^Choose a kind/],
  [{ kind: 'email', target: 'ada@example.com' }, undefined, /SMTP_URL/],
])('says what to do about %j', async (changes, field, message) => {
  const { status, given } = await add(changes)
  expect(status).toBe(field === undefined ? 409 : 400)
  expect(given).toMatchObject({ message: expect.stringMatching(message) })
  expect(given.field).toBe(field)
})

it('tests an endpoint, ten times a minute for each operator', async () => {
  const { id } = (await add()).given
  const test = (bearer: string) => ask('POST', '/test', { id }, bearer)
  expect((await test('editor.x.y')).given).toMatchObject({ name: 'CRM', isDelivered: true, status: 204 })
  expect(JSON.parse(told.at(-1) ?? '')).toMatchObject({ type: 'endpoint.test' })
  const [line] = await readAudit(db, 1)
  expect(line).toMatchObject({ action: 'endpoint_tested', detail: { name: 'CRM', isDelivered: true } })
  for (let time = 1; time < 10; time++) await test('editor.x.y')
  expect(await test('editor.x.y')).toMatchObject({ status: 429, given: { code: 'too_many_attempts' } })
  expect(told).toHaveLength(10)
  expect((await test('owner.x.y')).status).toBe(200)
  await ask('DELETE', `?id=${id}`)
})

it('shows the log in pages, and sends again', async () => {
  const { id } = (await add()).given
  for (const slug of ['a', 'b'])
    await recordEvent(db, { type: 'page.opened', slug, actor: 'visitor', payload: {} })
  await db.query("update timeline.deliveries set state = 'dead', attempts = 8, done_at = now()")
  await db.query(`insert into timeline.attempts (endpoint_id, event_seq, ms, status, error)
    select endpoint_id, event_seq, 5, 500, 'It answered 500' from timeline.deliveries`)
  const page = (path: string) => ask('GET', `/${path}id=${id}&limit=1`, undefined, 'editor.x.y')
  const { deliveries, next } = (await page('deliveries?state=dead&')).given
  expect(deliveries).toMatchObject([{ slug: 'b', state: 'dead', error: 'It answered 500' }])
  expect((await page(`deliveries?before=${next}&`)).given.deliveries).toMatchObject([{ slug: 'a' }])
  expect((await page('attempts?')).given.attempts).toMatchObject([{ slug: 'b', status: 500 }])
  const replay = (eventId?: string) => ask('POST', '/replay', { id, eventId }, 'editor.x.y')
  expect((await replay(deliveries[0].eventId)).given).toEqual({ name: 'CRM', count: 1 })
  expect((await replay()).given).toEqual({ name: 'CRM', count: 1 })
  expect(await readAudit(db, 1)).toMatchObject([{ action: 'endpoint_replayed', detail: { count: 1 } }])
  for (let time = 1; time < 10; time++) await replay(deliveries[0].eventId)
  const refused = await replay(deliveries[0].eventId)
  expect(refused).toMatchObject({ status: 429, given: { code: 'too_many_attempts' } })
  expect((await replay()).given).toEqual({ name: 'CRM', count: 0 })
  await ask('DELETE', `?id=${id}`)
})
