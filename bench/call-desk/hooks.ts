import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import type { Database } from '../backend/filled-heyline.js'
import { run } from '../backend/load.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'
import { MeasuredDesk } from './measured-desk.js'
import { messageOf, STEPS } from './messages.js'
import { serverMessage } from './wire.js'

const PER_SECOND = 300
const CONNECTIONS = 30
const WARM_UP_MS = 3_000
const MEASURED_MS = 60_000
/** Enough for all messages. */
const CALLS = 8_000
const LONGEST_MS = 60_000

const perSecond = (value: number) => `${value.toFixed(0)}/s`

/** The platform's messages at 300 a second for a minute, three of each call: answers, what is left to do at the end, and what was lost. */
export async function measureHooks(database: Database): Promise<Figure[]> {
  const desk = await MeasuredDesk.start(database)
  try {
    await desk.killed(fill)
    let sent = 0
    const load = (forMs: number) =>
      run(desk.url, {
        connections: CONNECTIONS,
        ms: forMs,
        perSecond: PER_SECOND,
        question: () => serverMessage(messageOf(sent++)),
      })
    await load(WARM_UP_MS)
    const answers = await load(MEASURED_MS)
    const reported = Math.floor(sent / STEPS.length)
    const backlogMs = await workedOff(desk, CALLS - reported)
    const over = await desk.left((db) => endedCalls(db))
    return [
      limited({
        what: 'messages answered',
        value: answers.perSecond,
        limit: 0.99 * PER_SECOND,
        atLeast: true,
        show: perSecond,
      }),
      limited({
        what: 'their answer, p99',
        value: answers.p99,
        limit: 200,
        show: ms,
        beside: `p50 ${ms(answers.p50)}`,
      }),
      limited({ what: 'last answer → all applied', value: backlogMs, limit: 2_000, show: ms }),
      limited({
        what: 'calls that are over',
        value: over,
        limit: reported,
        atLeast: true,
        show: String,
        beside: 'one for each report that was sent',
      }),
    ]
  } finally {
    await desk.stop()
  }
}

/** Calls that have been placed, and of which nothing is known yet. */
async function fill(db: Db): Promise<void> {
  await db.query(
    `insert into call_desk.call_requests (id, phone, slug, state, body_hash, attempts, dialling_at, sent_at, platform_call_id, check_at, max_seconds)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '+1415' || 5550000 + n, 'default', 'dialling', '', 1, now(), now(),
       'call-' || n, now() + interval '1 day', 180
     from generate_series(0, $1::int - 1) n`,
    [CALLS],
  )
}

/** How long until only so many calls are in flight: those that no report was sent of. No number when it takes too long. */
async function workedOff(desk: MeasuredDesk, open: number): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < LONGEST_MS) {
    const { inFlight } = await desk.office<{ inFlight: number }>('GET', '/calls/status')
    if (inFlight <= open) return performance.now() - began
    await delay(20)
  }
  return Number.NaN
}

async function endedCalls(db: Db): Promise<number> {
  const { rows } = await db.query<{ over: number }>(
    "select count(*)::int as over from call_desk.call_requests where state = 'ended'",
  )
  return rows[0]?.over ?? 0
}
