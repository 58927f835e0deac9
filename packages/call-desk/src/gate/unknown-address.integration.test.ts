import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { addressOf, ask, clearDesk, openGate } from '../testing/gate-desk.js'
import type { GateSettings } from './gate-settings.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const once = [{ most: 1, windowMs: 3_600_000 }]
const limits: [string, Partial<GateSettings>][] = [
  ['limit_address', { addressLimits: once }],
  ['limit_address', { addressNumbers: { most: 1, windowMs: 3_600_000, blockMs: 3_600_000 } }],
  ['limit_network', { networkLimits: once }],
]

/** What became of two requests of which nobody knows from where they come, and of one of a known address. */
async function judged(changes: Partial<GateSettings>, options: { addressOf?: typeof addressOf }) {
  const desk = deskOf(db, 'http://127.0.0.1:1', { gate: { ...openGate, ...changes }, ...options })
  await ask(desk, { phone: '+14155552671' })
  await ask(desk, { phone: '+14155552672' })
  await ask(desk, { phone: '+14155552673', address: '203.0.113.7' })
  const { rows } = await db.query<{ became: string }>(
    'select coalesce(refusal, state) as became from call_desk.call_requests order by phone',
  )
  return rows.map(({ became }) => became)
}

it.each(limits)('clients whose address is not known share one: %s %j', async (refusal, changes) => {
  expect(await judged(changes, { addressOf })).toEqual(['queued', refusal, 'queued'])
})

it.each(limits)('a desk that is told of no addresses has no limits of them: %s %j', async (_, changes) => {
  expect(await judged(changes, {})).toEqual(['queued', 'queued', 'queued'])
})
