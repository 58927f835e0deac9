import type { Db } from '@heyline/database'
import { type Database, FilledHeyline, PRIVATE_KEY } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, median } from '../report/table.js'
import { answerOf } from './asked.js'

const FEW = 3_000
const MANY = 300_000
const BATCH = 10_000
const ROUNDS = 41
/** The most that an answer among many may take, to one among few. */
const LIMIT = 2

/** Four fifths refused, in the 30 days for which those are kept, and the others over a year; each visitor has 20. $3 is how many there are. */
const DESK = `
  with stored as (
    insert into call_desk.call_requests (kind, phone, slug, state, refusal, outcome, body_hash, created_at, updated_at, sent_at,
      in_progress_at, ended_at, recorded_at, platform_call_id)
    select case when web then 'web' else 'phone' end, case when not web then '+1415555' || lpad((n % 10000)::text, 4, '0') end,
      'visitor-' || n % ($3::int / 20), case when refused then 'refused' else 'ended' end, case when refused then 'quiet_hours' end,
      case when not refused then 'completed' end, 'x', at, at, placed, placed, placed + interval '1 minute', placed,
      case when not refused then gen_random_uuid() end
    from (select *, case when not refused then at end as placed from (
      select n, n % 3 = 0 as web, n % 5 <> 0 as refused,
        now() - ($3 - n)::float8 / $3 * interval '1 day' * (case when n % 5 = 0 then 365 else 30 end) as at
      from generate_series($1::int, $2::int) n) drawn) calls
    returning id, created_at, state)
  insert into call_desk.ledger (request_id, at, reserved, spent)
  select id, created_at, 100000, 40000 from stored where state = 'ended'`

/** Calls of a year, whose words count as removed: the server would begin with that. Each number and each assistant has 20. */
const PLATFORM = `
  insert into voice_platform.calls (type, status, ended_reason, assistant_id, customer, assistant, owner, messages, texts_removed_at, created_at, updated_at)
  select 'outboundPhoneCall', 'ended', 'customer-ended-call', ('00000000-0000-4000-8000-' || lpad((n % ($3::int / 20))::text, 12, '0'))::uuid,
    jsonb_build_object('number', '+1415' || lpad((n % ($3 / 20))::text, 7, '0')), '{"name": "Bench"}', gen_random_uuid(),
    jsonb_build_array(jsonb_build_object('role', 'bot', 'message', repeat('How can I help you today? ', 20))), at, at, at
  from (select n, now() - ($3 - n)::float8 / $3 * interval '365 days' as at from generate_series($1::int, $2::int) n) calls`

/** Tidied before the first question, as they are within seconds on any server. */
const FILLED = ['call_desk.call_requests', 'call_desk.ledger', 'voice_platform.calls']

const office = (operation: string, query: Record<string, string>) => (server: FilledHeyline) =>
  answerOf(server, operation, query)

const platform = (query: Record<string, string>) => async (server: FilledHeyline) => {
  const url = `${server.url}/-/platform/v2/call?${new URLSearchParams(query)}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${PRIVATE_KEY}` } })
  if (answer.status !== 200) throw new Error(`A list answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** What may not grow with what is stored. */
const ASKED: Readonly<Record<string, (server: FilledHeyline) => Promise<unknown>>> = {
  'calls list --state': office('GET /calls', { state: 'queued' }),
  'calls list --slug': office('GET /calls', { slug: 'visitor-77' }),
  'calls status': office('GET /calls/status', {}),
  '/v2/call, the first page': platform({ limit: '20' }),
  '/v2/call, the tenth page': platform({ limit: '20', page: '10' }),
  '/v2/call by number': platform({ number: '+14150000077' }),
  '/v2/call by updatedAt': platform({
    limit: '20',
    updatedAtLt: new Date(Date.now() - 364 * 86_400_000).toISOString(),
  }),
  '/v2/call by assistant': platform({ assistantId: '00000000-0000-4000-8000-000000000077' }),
}

/** Medians over HTTP among 300,000 rows, to those among 3,000. */
export async function measureGrowth(database: Database): Promise<Figure[]> {
  const few = await taken(database, FEW)
  const many = await taken(database, MANY)
  return Object.keys(ASKED).map((what) => {
    const [one = Number.NaN, other = Number.NaN] = [few.get(what), many.get(what)]
    return limited({
      what,
      value: other / one,
      limit: LIMIT,
      show: (ratio) => `${ratio.toFixed(2)} ×`,
      beside: `${one.toFixed(1)} and ${other.toFixed(1)} ms`,
    })
  })
}

async function taken(database: Database, rows: number): Promise<Map<string, number>> {
  const server = await FilledHeyline.start(database, 1, (db) => fill(db, rows))
  const medians = new Map<string, number>()
  try {
    for (const [what, ask] of Object.entries(ASKED)) {
      const times: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const began = performance.now()
        await ask(server)
        times.push(performance.now() - began)
      }
      medians.set(what, median(times))
    }
  } finally {
    await server.stop()
  }
  return medians
}

async function fill(db: Db, rows: number) {
  for (let from = 1; from <= rows; from += BATCH)
    await db.transaction(async (tx) => {
      const values = [from, Math.min(rows, from + BATCH - 1), rows]
      await tx.query(PLATFORM, values)
      // Its triggers would fill the timeline, too.
      await tx.query('set local session_replication_role = replica')
      await tx.query(DESK, values)
    })
  for (const table of FILLED) await db.query(`vacuum (analyze) ${table}`)
}
