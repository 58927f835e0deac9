import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import {
  type Operator,
  OperatorsError,
  openConsoleDoors,
  type Role,
  readAudit,
  writeAudit,
} from '@heyline/back-office'
import { createOfficeClient } from '@heyline/back-office/client'
import { DEFAULT_GATE, DEFAULT_WEB_GATE } from '@heyline/call-desk'
import { type Db, migrate } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { systemClock } from '@heyline/kit/clock'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { SQL_FOLDER } from '../database/open-db.js'
import { testEndpoints, UNASKED_PARTS } from '../testing/office-parts.js'
import { ownVisitors } from '../visitors/own-visitors.js'
import { office } from './office.js'

let db: Db
let server: Server
let url: string
/** Every address that was asked for. */
const asked: string[] = []
const again = vi.fn(async ({ key }: { key: string }) => ({
  id: `again-${key}`,
  accepted: true,
  refusal: null,
  reason: null,
}))

/** Whoever sends `ROLE.x.y` is an operator of this role; `ROLE.x.NAME` is another one. */
const enter = async (token: string): Promise<Operator> => {
  const [role = '', , name = ''] = token.split('.')
  if (!['owner', 'editor', 'viewer'].includes(role)) throw new OperatorsError('unauthorized', 'Not good')
  return { userId: name, email: `${role}@example.com`, role: role as Role, aal: 'aal1', enteredAt: 0 }
}

beforeAll(async () => {
  db = await openTestDb()
  await migrate(db, { folder: SQL_FOLDER })
  const operators = {
    as: vi.fn(),
    hasOwner: async () => true,
    setUp: async () => ({ email: '', isNew: true }),
  }
  const own = 'http://localhost:3000'
  const doors = openConsoleDoors({
    db,
    key: new Uint8Array(32),
    clock: systemClock,
    wire: { url: `${own}/-/backend/auth/v1`, secretKey: 'sb_secret_of_the_test' },
    access: { enter },
    operators,
    consoleUrl: `${own}/-/console/`,
    isOwnEnd: true,
  })
  const app = office({
    ...UNASKED_PARTS,
    gates: { gate: DEFAULT_GATE, webGate: DEFAULT_WEB_GATE },
    ...ownVisitors(db),
    db,
    endpoints: testEndpoints(db),
    callDesk: { again },
    secretKey: 'sb_secret_of_the_test',
    publicUrl: own,
    origins: [own],
    addressOf: () => '192.0.2.1',
    operators: { access: { enter }, operators, doors },
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
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await db.close()
})
beforeEach(async () => {
  await db.exec(
    'delete from call_desk.call_requests; delete from call_desk.do_not_call; delete from voice_platform.calls',
  )
  asked.length = 0
})

const as = (role: Role, name = 'y') =>
  createOfficeClient({ url, headers: { authorization: `Bearer ${role}.x.${name}` } })
const id = 'abcdef01-0000-4000-8000-000000000000'
const call = 'abcdef02-0000-4000-8000-000000000000'
const store = (fields = "'ended'", transcript = 'User: My number is 202 555 0101.') =>
  db.query(
    `insert into call_desk.call_requests (id, phone, slug, body_hash, outcome, transcript, platform_call_id, state)
     values ('${id}', '+12025550101', '=acme', 'x', 'completed', $1, '${call}', ${fields})`,
    [transcript],
  )

it('finds calls, those of a number too, and no number is in an address', async () => {
  await store()
  const found = await as('viewer').calls.search({ states: 'ended,failed', text: 'ACME', limit: 10 })
  expect(found).toMatchObject({ calls: [{ id, phone: '…01' }], total: { count: 1, atLeast: false } })
  expect((await as('viewer').calls.search({ outcome: 'busy' })).calls).toEqual([])
  expect(await as('editor').calls.ofNumber({ number: '+1 202 555 0101' })).toMatchObject({ calls: [{ id }] })
  await expect(as('editor').calls.ofNumber({ number: '0101' })).rejects.toMatchObject({
    code: 'invalid_phone',
  })
  await expect(as('viewer').calls.search({ states: 'over' })).rejects.toMatchObject({
    code: 'invalid_request',
    field: 'states.0',
  })
  expect(asked.join()).not.toMatch(/0101/)
})

it('shows a viewer no number that somebody said', async () => {
  await store()
  const said = async (role: Role) => (await as(role).calls.transcript({ id })).lines[0]?.text
  expect(await said('viewer')).toBe('My number is 202•••0101.')
  expect(await said('editor')).toBe('My number is 202 555 0101.')
})

it('has a call ended, asks again once for one press, and says both in the audit', async () => {
  await store("'in-progress'")
  expect(await as('editor').calls.end({ id })).toEqual({ id })
  expect(await as('editor').calls.again({ id, key: 'press-123' })).toMatchObject({ id: 'again-press-123' })
  expect(again).toHaveBeenCalledWith({
    id,
    key: 'press-123',
    address: '192.0.2.1',
    actor: 'editor@example.com',
  })
  expect(await readAudit(db, 2)).toMatchObject([
    { action: 'call_again', actor: 'editor@example.com', detail: { id: 'again-press-123', accepted: true } },
    { action: 'call_ended', detail: { id } },
  ])
})

it("removes a call's record, and the built-in platform's with it", async () => {
  await store()
  const onPlatform = (status: string) =>
    db.exec(`insert into voice_platform.calls (id, type, status, ended_reason, assistant, owner, transcript)
      values ('${call}', 'outboundPhoneCall', '${status}', ${status === 'ended' ? "'x'" : 'null'}, '{}', gen_random_uuid(), 'Hello')`)
  await onPlatform('in-progress')
  await expect(as('owner').calls.remove({ id })).rejects.toMatchObject({ status: 409, code: 'call_running' })
  expect(await as('viewer').calls.show({ id })).toMatchObject({ id })
  await db.exec('delete from voice_platform.calls')
  await onPlatform('ended')
  expect(await as('owner').calls.remove({ id })).toEqual({ id, platformRecord: 'removed' })
  expect((await db.query('select id from voice_platform.calls')).rows).toEqual([])
  await expect(as('viewer').calls.show({ id })).rejects.toMatchObject({ status: 404 })
  await store()
  expect(await as('owner').calls.remove({ id })).toEqual({ id, platformRecord: 'hosted' })
})

it('exports what is found as CSV, without a formula where that is asked for', async () => {
  await store()
  const exported = async (safe?: 'true') =>
    new Response(await as('editor').calls.exportCsv({ text: 'acme', safe })).text()
  expect(await exported()).toMatch(/^id,created_at,.*\r\n.*,\+12025550101,.*,=acme,/)
  expect(await exported('true')).toMatch(/,'\+12025550101,.*,'=acme,/)
  expect(await as('editor').calls.search({ text: 'nobody' })).toMatchObject({ calls: [] })
})

it('says of each limit what it means and how much of it is used', async () => {
  await store("'in-progress'")
  const { limits, mode } = await as('viewer').safety.limits()
  expect(mode).toEqual({ phone: 'full', web: 'full' })
  expect(limits).toContainEqual({
    setting: 'CALL_LIMIT_CONCURRENT',
    kind: 'phone',
    meaning: 'All calls: how many run at the same time.',
    value: '5',
    default: '5',
    raised: false,
    unit: 'calls',
    use: [{ span: null, most: 5, used: 1 }],
  })
  const { days, budgets } = await as('viewer').safety.spend()
  expect([days.length, budgets.phone]).toEqual([31, { day: 10_000_000, month: 100_000_000 }])
  expect(await as('viewer').safety.refusals()).toEqual([])
})

it('reads a file of numbers before any of them is stored', async () => {
  await as('editor').doNotCall.add({ numbers: ['+14155552671'] })
  const csv = 'name,phone\nA,+14155552671\nB,+44 20 7946 0018\nC,oops\nD,+44 20 7946 0018\n'
  const preview = await as('editor').doNotCall.previewImport({ csv })
  expect(preview).toEqual({
    numbers: ['+14155552671', '+442079460018'],
    listed: 1,
    bad: [{ line: 4, reason: expect.stringMatching(/no valid international number/) }],
    badCount: 1,
  })
  expect(await as('editor').doNotCall.import(preview)).toEqual({ added: 1 })
})

it('streams calls and switches as they change, to twenty consoles by one listener', async () => {
  const listen = vi.spyOn(db, 'listen')
  const leaving = new AbortController()
  const consoles = Array.from({ length: 20 }, (_, n) => {
    const heard: unknown[] = []
    const over = (async () => {
      for await (const part of as('viewer', `name-${n % 4}`).live.follow(undefined, leaving.signal))
        heard.push(...part)
    })().catch(() => {})
    return { heard, over }
  })
  for (const { heard } of consoles)
    await expect
      .poll(() => heard, { timeout: 5000 })
      .toMatchObject([{ event: 'switches', data: { pausedAt: null } }])
  expect(listen).toHaveBeenCalledTimes(5)
  listen.mockRestore()
  await store("'ringing'")
  for (const { heard } of consoles)
    await expect
      .poll(() => heard[1], { interval: 10, timeout: 5000 })
      .toMatchObject({ event: 'call', data: { id, line: { state: 'ringing', phone: '…01' } } })
  leaving.abort()
  await Promise.all(consoles.map(({ over }) => over))
})

it('says where pages are by the public address, in the order of the slugs', async () => {
  const { links } = await as('viewer').visitors.links({ slugs: ['b', 'zoë', 'a'] })
  expect(links).toEqual(['b', 'zo%C3%AB', 'a'].map((slug) => `http://localhost:3000/${slug}`))
})

it('tells what operators changed: two consoles agree', async () => {
  const leaving = new AbortController()
  const heard: string[] = []
  let timelines = 0
  const over = (async () => {
    for await (const part of as('viewer', 'watching').live.follow(undefined, leaving.signal))
      for (const { event } of part)
        if (event === 'timeline') timelines += 1
        else heard.push(event)
  })().catch(() => {})
  await expect.poll(() => heard, { timeout: 5000 }).toEqual(['switches'])
  const told = async (...events: string[]) => {
    await expect.poll(() => heard.splice(0), { interval: 10 }).toEqual(events)
  }
  heard.splice(0)
  const editor = as('editor', '00000000-0000-4000-8000-000000000001')
  await editor.visitors.add({ slug: 'told', name: 'Told' })
  await told('visitors', 'audit')
  await editor.visitors.update({ slug: 'told', changes: { name: 'Told again' } })
  await told('visitors', 'audit')
  await expect.poll(() => timelines).toBe(2)
  await as('viewer').visitors.search({ text: 'told' })
  await editor.visitors.exportCsv({})
  await told('audit')
  const actor = { name: 'owner@example.com' }
  await expect(
    db.transaction(async (tx) => {
      await writeAudit(tx, actor, 'operator_removed')
      throw new Error('It was taken back')
    }),
  ).rejects.toThrow('taken back')
  await db.transaction((tx) => writeAudit(tx, actor, 'operator_role'))
  await told('operators', 'audit')
  leaving.abort()
  await over
})

it.each(['/live', '/calls/changes', '/timeline/changes'])(
  'asks a proxy to pass %s on as it comes, and no answer that ends',
  async (path) => {
    const leaving = new AbortController()
    const ask = (at: string) =>
      fetch(`${url}/-/office${at}`, {
        headers: { authorization: 'Bearer viewer.x.y' },
        signal: leaving.signal,
      })
    const answer = await ask(path)
    expect([answer.status, answer.headers.get('x-accel-buffering')]).toEqual([200, 'no'])
    expect((await ask('/visitors')).headers.has('x-accel-buffering')).toBe(false)
    leaving.abort()
  },
)

it('opens ten streams for one operator, and no eleventh until one is closed', async () => {
  const open = async () => {
    const leaving = new AbortController()
    const headers = { authorization: 'Bearer viewer.x.many' }
    return { leaving, answer: await fetch(`${url}/-/office/live`, { headers, signal: leaving.signal }) }
  }
  const streams = await Promise.all(Array.from({ length: 10 }, open))
  for (const { answer } of streams) await answer.body?.getReader().read()
  expect((await open()).answer.status).toBe(429)
  streams[0]?.leaving.abort()
  await expect.poll(async () => (await open()).answer.status).toBe(200)
  for (const { leaving } of streams) leaving.abort()
})
