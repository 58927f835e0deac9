import type { Db } from '@heyline/database'
import { type Database, FilledHeyline } from '../backend/filled-heyline.js'
import type { Figure } from '../report/table.js'
import { answerOf, any, askedAll, oneOf, type Question, vacuumed } from './asked.js'

const CALLS = 100_000
const BATCH = 10_000
/** Nearly four weeks of calls: the server removes refused ones after 30 days. */
const STEP_MS = 24_000
const DAY_STEPS = (24 * 3_600_000) / STEP_MS
/** Each has 20 of the calls. */
const VISITORS = 5_000
/** The last is about now. */
const FIRST = Date.now() - (CALLS + 1) * STEP_MS

/** A third in browsers, a fifth refused, every tenth with a transcript; what each cost is in the ledger. */
const FILL = `
  with stored as (
    insert into call_desk.call_requests
      (kind, phone, slug, state, refusal, outcome, body_hash, created_at, in_progress_at, ended_at, transcript)
    select case when web then 'web' else 'phone' end, case when not web then '+1415555' || lpad((n % 10000)::text, 4, '0') end,
      'visitor-' || n % ${VISITORS}, case when refused then 'refused' else 'ended' end, case when refused then 'quiet_hours' end,
      case when not refused then case when n % 7 = 0 then 'silence' else 'completed' end end, 'x', at,
      case when not refused then at end, case when not refused then at + (n % 300) * interval '1 second' end,
      case when n % 10 = 1 then repeat('Assistant: How can I help you today? ', 50) end
    from (select n, n % 3 = 0 as web, n % 5 = 0 as refused, $3::timestamptz + n * interval '24 seconds' as at
      from generate_series($1::int, $2::int) n) calls
    returning id, created_at, state)
  insert into call_desk.ledger (request_id, at, reserved, spent)
  select id, created_at, 100000, 40000 from stored where state = 'ended'`

/** What an operator looks for: each time it is drawn anew. */
const LOOKED: Readonly<Record<string, () => Record<string, string>>> = {
  'all calls': () => ({}),
  'the calls of one visitor': () => ({ text: `VISITOR-${1000 + any(VISITORS - 1000)}` }),
  'the calls of many visitors': () => ({ text: oneOf(['TOR-1', '99', 'visitor']) }),
  'the calls of a visitor whom nobody called': () => ({ text: `nobody ${any(1000)}` }),
  'calls by kind': () => ({ kind: oneOf(['web', 'phone']) }),
  'calls by state': () => ({ states: oneOf(['refused', 'ended', 'failed,unknown', 'queued,dialling']) }),
  'calls by outcome': () => ({ outcome: oneOf(['silence', 'completed', 'max_duration']) }),
  'calls by refusal': () => ({ refusal: oneOf(['quiet_hours', 'limit_slug']) }),
  'calls of three days': () => span(3),
  'calls by length': () => ({ minSeconds: oneOf(['1', '290', '3000']) }),
  'calls by all at once': () => ({
    text: oneOf(['tor-1', `visitor-${any(VISITORS)}`, 'nobody']),
    kind: 'phone',
    states: 'ended',
    outcome: oneOf(['silence', 'completed']),
    minSeconds: oneOf(['1', '290']),
    ...span(oneOf([3, 25])),
  }),
}

/** The first page, or one that comes after any call. */
const QUESTIONS: readonly Question[] = Object.entries(LOOKED).map(([what, looked]) => ({
  what,
  query: async (server) => ({
    ...looked(),
    ...(any(2) === 0 && { after: await someCall(server) }),
  }),
}))

const OF_NUMBER: readonly Question[] = [
  {
    what: 'the calls of a number',
    query: () => ({ number: `+1415555${String(any(10_000)).padStart(4, '0')}` }),
  },
  { what: 'the calls of a number that nobody called', query: () => ({ number: '+12025550100' }) },
]

/** Searches and pages of the operators' list among 100,000 calls, one after another. */
export async function measureCallSearch(database: Database): Promise<Figure[]> {
  const server = await FilledHeyline.start(database, 1, fill)
  try {
    return [
      ...(await askedAll(server, 'GET /calls/search', QUESTIONS)),
      ...(await askedAll(server, 'POST /calls/of-number', OF_NUMBER)),
    ]
  } finally {
    await server.stop()
  }
}

async function fill(db: Db) {
  for (let from = 1; from <= CALLS; from += BATCH)
    await db.query(FILL, [from, from + BATCH - 1, new Date(FIRST)])
  await vacuumed(db)
}

/** The id of a call, drawn evenly. */
async function someCall(server: FilledHeyline): Promise<string> {
  const until = new Date(FIRST + (1 + any(CALLS)) * STEP_MS + 1).toISOString()
  const { calls } = Object(await answerOf(server, 'GET /calls/search', { limit: '1', until }))
  return calls[0].id
}

/** So many days, from any on. */
function span(days: number): Record<string, string> {
  const since = FIRST + any(CALLS - days * DAY_STEPS) * STEP_MS
  return {
    since: new Date(since).toISOString(),
    until: new Date(since + days * DAY_STEPS * STEP_MS).toISOString(),
  }
}
