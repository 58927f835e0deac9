import { readAudit } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { Tickets } from '@heyline/voice-platform'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { officeOfMany } from '../testing/office-of-many.js'

const TICKET = {
  ...({ category: 'bug-report', subject: '<b>Late</b>' } as const),
  message: 'Call +1 415 555 2671: <script>alert(1)</script>',
}

let db: Db
let tickets: Tickets
let office: ReturnType<typeof officeOfMany>
beforeAll(async () => {
  db = await openTestDb()
  tickets = new Tickets(db)
  office = officeOfMany(db, { tickets })
})
beforeEach(() => db.exec('delete from voice_platform.resources'))
afterAll(() => db.close())

const ask = async (path: string, bearer = 'editor.ann.y', method = 'GET') => {
  const answer = await office(path, bearer, { method })
  return { status: answer.status, given: await answer.json() }
}

it('shows an editor the tickets page by page, and one whole, as it was written', async () => {
  for (const subject of ['1', '2', '3']) await tickets.keep({ ...TICKET, subject })
  await db.exec(
    "update voice_platform.resources set created_at = to_timestamp((settings ->> 'subject')::int)",
  )
  const { given: first } = await ask('/tickets?limit=2')
  expect(first.tickets.map(({ subject }: { subject: string }) => subject)).toEqual(['3', '2'])
  expect(JSON.stringify(first)).not.toContain('alert')
  const { given: second } = await ask(`/tickets?limit=2&before=${first.next}`)
  expect(second).toMatchObject({ tickets: [{ subject: '1', writtenBy: null }], next: null })
  const id = await tickets.keep(TICKET, 'ada@example.com')
  expect((await ask(`/ticket?id=${id}`)).given).toMatchObject({
    ...TICKET,
    ...{ id, writtenBy: 'ada@example.com', bugSubcategory: null, callDetails: null },
  })
})

it('shows a viewer none: a ticket may hold what nobody can mask', async () => {
  const id = await tickets.keep(TICKET)
  for (const [path, method] of [
    ['/tickets', 'GET'],
    [`/ticket?id=${id}`, 'GET'],
    [`/ticket?id=${id}`, 'DELETE'],
  ] as const)
    expect(await ask(path, 'viewer.bob.y', method)).toMatchObject({
      status: 403,
      given: { code: 'forbidden' },
    })
  expect(await tickets.get(id)).toBeDefined()
})

it('removes one, and records who did, without a word of it', async () => {
  const id = await tickets.keep(TICKET)
  expect(await ask(`/ticket?id=${id}`, 'editor.ann.y', 'DELETE')).toEqual({ status: 200, given: { id } })
  expect(await readAudit(db, 1)).toMatchObject([
    { action: 'ticket_removed', actor: 'ann@example.com', detail: { id } },
  ])
  for (const method of ['DELETE', 'GET'])
    expect(await ask(`/ticket?id=${id}`, 'editor.ann.y', method)).toMatchObject({
      status: 404,
      given: { code: 'ticket_not_found' },
    })
})

it.each(['/tickets?before=yesterday', '/tickets?before=1_x', '/tickets?limit=0', '/ticket?id=1', '/ticket'])(
  'refuses %s',
  async (path) => {
    expect((await ask(path)).status).toBe(400)
  },
)

it('tells consoles of each ticket that comes', async () => {
  const left = new AbortController()
  const live = await office('/live', 'editor.ann.y', { signal: left.signal })
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader()
  let told = (await reader?.read())?.value ?? ''
  await tickets.keep(TICKET)
  while (!told.includes('event: tickets')) told += (await reader?.read())?.value ?? ''
  expect(told).not.toContain('alert')
  await reader?.cancel()
  left.abort()
})

it('says where tickets are, where a hosted platform keeps them', async () => {
  const hosted = officeOfMany(db)
  const answer = await hosted('/tickets', 'owner.ann.y')
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { code: 'not_supported', message: expect.stringMatching(/^The hosted platform keeps its own tickets/) },
  ])
})
