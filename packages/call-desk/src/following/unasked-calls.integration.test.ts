import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeCall } from '../operating/remove-call.js'
import { eraseFromDesk } from '../people/erase-from-desk.js'
import { findToldMessages } from '../people/told-messages.js'
import { UnaskedCalls } from './unasked-calls.js'

const ASSISTANT = '00000000-0000-4000-8000-000000000001'
const begun = (id: string, changes: object = {}) => ({
  id,
  type: 'webCall',
  assistantId: ASSISTANT,
  createdAt: '2026-05-01T10:00:00.000Z',
  startedAt: '2026-05-01T10:00:01.000Z',
  monitor: { controlUrl: `https://platform.example/${id}` },
  ...changes,
})

let db: Db
/** What the platform has, and what it was asked for. */
let listed: object[]
let asked: URL[]
let isDown: boolean
let calls: UnaskedCalls

beforeEach(async () => {
  db = await openTestDb()
  listed = []
  asked = []
  isDown = false
  const platform = new PlatformClient({
    token: 'private-key',
    baseUrl: 'https://platform.example',
    retries: 0,
    fetch: async (input) => {
      const url = new URL(input instanceof Request ? input.url : String(input))
      asked.push(url)
      if (isDown) return new Response('{}', { status: 500 })
      const before = url.searchParams.get('createdAtLe')
      const all = listed.filter((call) => !before || Object(call).createdAt <= before)
      return Response.json(all.slice(0, 100))
    },
  })
  calls = new UnaskedCalls({
    db,
    platform,
    unasked: { assistantId: ASSISTANT, maxSeconds: 600 },
    timings: { newsMs: 1000 },
    logger: pino({ level: 'silent' }),
  })
})
afterEach(async () => {
  await calls.close()
  await db.close()
})

const stored = async () =>
  (
    await db.query(
      'select platform_call_id as id, kind, slug, state, control_url as url from call_desk.call_requests order by 1',
    )
  ).rows

it('stores browser calls of our assistant that somebody joined, once', async () => {
  listed = [
    begun('one'),
    begun('of-another', { assistantId: '00000000-0000-4000-8000-000000000002' }),
    begun('by-phone', { type: 'outboundPhoneCall' }),
    begun('not-joined', { startedAt: undefined }),
  ]
  await calls.look()
  await calls.look()
  expect(await stored()).toEqual([
    { id: 'one', kind: 'web', slug: '', state: 'dialling', url: 'https://platform.example/one' },
  ])
  expect(asked[0]?.searchParams.get('assistantId')).toBe(ASSISTANT)
})

it('leaves out what was erased with its visitor, or removed, however often the platform tells of it', async () => {
  listed = [begun('of-ada'), begun('removed'), begun('of-ben')]
  await calls.look()
  await db.exec(`update call_desk.call_requests set state = 'ended', ended_at = now();
    update call_desk.call_requests set slug = 'ada' where platform_call_id = 'of-ada'`)
  const ada = { visitor: 'ada' }
  const told = await findToldMessages(db, ada)
  expect(await db.transaction((tx) => eraseFromDesk(tx, ada, told))).toMatchObject({ requests: 1 })
  const { rows } = await db.query<{ id: string }>(
    "select id from call_desk.call_requests where platform_call_id = 'removed'",
  )
  await db.transaction((tx) => removeCall(tx, rows[0]?.id ?? ''))
  await calls.look()
  expect(await stored()).toMatchObject([{ id: 'of-ben' }])
  const left = JSON.stringify((await db.query('select * from call_desk.forgotten_calls')).rows)
  expect(left).not.toMatch(/of-ada|removed/)
})

it('walks the list to its end', async () => {
  listed = Array.from({ length: 150 }, (_, place) =>
    begun(`call-${place}`, { createdAt: new Date(Date.UTC(2026, 4, 1, 10) - place * 1000).toISOString() }),
  )
  await calls.look()
  expect(await stored()).toHaveLength(150)
})

it('goes back a day at first, also after a look that failed, and an hour from then on', async () => {
  isDown = true
  await expect(calls.look()).rejects.toThrow()
  isDown = false
  await calls.look()
  await calls.look()
  const spans = asked.map(({ searchParams }) =>
    Math.round((Date.now() - Date.parse(searchParams.get('createdAtGe') ?? '')) / 3_600_000),
  )
  expect(spans).toEqual([24, 24, 1])
})

it('are stored a page at a time, so many at a look, however many the platform sends at once', async () => {
  listed = Array.from({ length: 2_500 }, (_, n) =>
    begun(`call-${n}`, { createdAt: new Date(Date.UTC(2026, 4, 1) - n * 1000).toISOString() }),
  )
  await calls.look()
  expect(new Set(asked.map(({ searchParams }) => searchParams.get('limit')))).toEqual(new Set(['25']))
  expect(asked.length).toBeLessThanOrEqual(80)
  expect((await stored()).length).toBeLessThanOrEqual(2_000)
})
