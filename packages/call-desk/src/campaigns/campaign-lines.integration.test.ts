import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { UNHEARD } from '../call/lines-failed.js'
import { SIMULATED_GATE } from '../gate/gate-settings.js'
import { openDeskDb } from '../testing/desk.js'
import { clearDesk } from '../testing/gate-desk.js'
import { Campaigns } from './campaigns.js'

const CUSTOMERS = 12
/** Customers whom one look asks for. */
const BATCH = 5

let db: Db
let campaigns: Campaigns
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  await clearDesk(db)
  await db.exec('delete from call_desk.campaigns')
  campaigns = new Campaigns({
    db,
    gate: SIMULATED_GATE,
    timings: { pollMs: 1000, campaignWaitMs: 5000 },
    logger: pino({ level: 'silent' }),
  })
  await campaigns.create({
    ...{ name: 'Reminders', assistantId: 'assistant', phoneNumberId: 'number' },
    ...{ earliestAt: null, latestAt: null },
    customers: Array.from({ length: CUSTOMERS }, (_, place) => ({
      number: `+1415555${2600 + place}`,
      details: {},
    })),
  })
})

const count = async (table: string, where = 'true') =>
  (await db.query(`select from call_desk.${table} where ${where}`)).rowCount
const asked = () => count('call_requests')
const waiting = () => count('campaign_customers', 'request_id is null and closed_at is null')
const closed = () => count('campaign_customers', 'closed_at is not null')
/** What becomes of requests that were sent. */
const fail = (lastError: string, callId: string | null = null) =>
  db.query(
    `update call_desk.call_requests set state = 'failed', sent_at = now(), failed_at = now(), last_error = $1, platform_call_id = $2
     where state = 'queued'`,
    [lastError, callId],
  )
/** Their calls were asked for so long ago, and nothing was heard of them. */
const goUnheard = (seconds: number) =>
  db.query(
    `update call_desk.call_requests set state = 'ended', sent_at = now(), ended_at = now(), outcome = 'provider_fault',
       ended_reason = $1, platform_call_id = gen_random_uuid()::text, created_at = now() - $2::float8 * interval '1 s'
     where state = 'queued'`,
    [UNHEARD, seconds],
  )
const goOn = (seconds: number) =>
  db.exec(`update call_desk.campaign_customers set run_at = run_at - interval '${seconds} seconds'`)

it('rests where the lines fail, and goes on with the others, then with whom the lines had failed', async () => {
  await campaigns.work()
  await fail('platform_400_lines_failed: Twilio could not be reached')
  for (let look = 0; look < 5; look++) await campaigns.work()
  expect([await asked(), await waiting(), await closed()]).toEqual([BATCH, CUSTOMERS, 0])
  await goOn(21)
  await campaigns.work()
  await campaigns.work()
  // The others first, as they have waited longest.
  expect([await asked(), await waiting()]).toEqual([CUSTOMERS, BATCH])
  await goOn(280)
  await fail('platform_400_bad_request: The number to call is not valid')
  await campaigns.work()
  expect([await asked(), await waiting()]).toEqual([CUSTOMERS + BATCH, 0])
})

it('rests where a trunk says nothing, for as long after the calls were asked for, and goes on with the others', async () => {
  await campaigns.work()
  await goUnheard(10)
  for (let look = 0; look < 5; look++) await campaigns.work()
  expect([await asked(), await waiting(), await closed()]).toEqual([BATCH, CUSTOMERS, 0])
  await goOn(11)
  await campaigns.work()
  await campaigns.work()
  expect([await asked(), await waiting(), await closed()]).toEqual([CUSTOMERS, BATCH, 0])
  await fail('platform_400_bad_request: The number to call is not valid')
  await goOn(280)
  await campaigns.work()
  expect([await asked(), await waiting()]).toEqual([CUSTOMERS + BATCH, 0])
})

it('calls nobody again whose call a trunk left without a word once the campaign has ended', async () => {
  await campaigns.work()
  await db.exec("update call_desk.campaigns set state = 'ended'")
  await goUnheard(10)
  await campaigns.work()
  expect([await asked(), await closed()]).toEqual([BATCH, BATCH])
})

it.each<[string, string, string | null]>([
  ['is refused for a reason of its own', 'platform_400_bad_request: The number is not valid', null],
  ['has a call all the same', 'platform_400_lines_failed: Twilio could not be reached', 'call-1'],
])('calls nobody again whose request %s', async (_, lastError, callId) => {
  await db.exec("delete from call_desk.campaign_customers where phone <> '+14155552600'")
  await campaigns.work()
  await fail(lastError, callId)
  await campaigns.work()
  expect([await asked(), await waiting(), await closed()]).toEqual([1, 0, 1])
})
