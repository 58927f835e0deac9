import type { Db } from '@heyline/database'
import { type Database, FilledHeyline } from '../backend/filled-heyline.js'
import { answerOf, any, askedAll, oneOf, type Question, vacuumed } from '../office/asked.js'
import type { Figure } from '../report/table.js'

const EVENTS = 100_000
const BATCH = 10_000
/** Each has 20 of the events. */
const VISITORS = 5_000
const PAGE = 100
/** Nearly four weeks. */
const STEP_SECONDS = 24

/** Every other is an open; a fifth of the events are calls over a minute, and a thousandth is rare. */
const FILL = `
  insert into timeline.events (type, slug, actor, at, payload)
  select type, case when type <> 'calls.paused' then 'visitor-' || 1 + n % ${VISITORS} end, 'visitor',
    now() - (${EVENTS} - n) * interval '${STEP_SECONDS} seconds',
    case type when 'call.completed' then jsonb_build_object('outcome', 'completed', 'seconds', n % 200) else '{}' end
  from (select n, case when n % 1000 = 7 then 'calls.paused' when n % 2 = 0 then 'page.opened' when n % 5 = 1 then 'call.requested'
    when n % 5 = 2 then 'call.answered' when n % 5 = 3 then 'call.completed' else 'visitor.changed' end as type
    from generate_series($1::int, $2::int) n) numbered`

/** What an operator looks for in the list: each time it is drawn anew. */
const LOOKED: Readonly<Record<string, () => Record<string, string>>> = {
  'all events': () => ({}),
  'events by type': () => ({
    types: oneOf(['page.opened', 'call.completed', 'calls.paused', 'breaker.opened']),
  }),
  'events by several types': () => ({
    types: oneOf(['call.requested,call.completed', 'calls.paused,breaker.opened']),
  }),
  'the events of a visitor': () => ({ slug: `VISITOR-${1 + any(VISITORS)}` }),
  'the events of a visitor by type': () => ({
    slug: `visitor-${1 + any(VISITORS)}`,
    types: 'call.completed',
  }),
  'the events of nobody': () => ({ slug: `nobody-${any(1000)}` }),
  'events since': () => ({ since: new Date(Date.now() - any(28 * 24) * 3_600_000).toISOString() }),
}

const LIST: readonly Question[] = Object.entries(LOOKED).flatMap(([what, looked]) => [
  { what, query: looked },
  { what: `${what}, a deep page`, query: () => ({ ...looked(), before: String(1 + any(EVENTS)) }) },
])

/** The first page, or the one after any of the first ten. */
const ENGAGED: readonly Question[] = [
  '',
  'opened',
  'opened_not_called',
  'talked',
  'talked_over_a_minute',
].map((filter) => ({
  what: `engaged visitors${filter && `, ${filter}`}`,
  query: async (server: FilledHeyline): Promise<Record<string, string>> => {
    const asked: Record<string, string> = filter ? { filter } : {}
    if (any(2) === 0) return asked
    const { next } = Object(
      await answerOf(server, 'GET /timeline/visitors', { ...asked, limit: String(1 + any(10 * PAGE)) }),
    )
    return next === null ? asked : { ...asked, after: next }
  },
}))

const OF_VISITOR: readonly Question[] = [
  { what: "a visitor's engagement", query: () => ({ slug: `visitor-${1 + any(VISITORS)}` }) },
]

/** The pages of the timeline among 100,000 events, one after another. */
export async function measureReading(database: Database): Promise<Figure[]> {
  const server = await FilledHeyline.start(database, VISITORS, fill)
  try {
    return [
      ...(await askedAll(server, 'GET /timeline/events', LIST)),
      ...(await askedAll(server, 'GET /timeline/visitors', ENGAGED)),
      ...(await askedAll(server, 'GET /timeline/visitor', OF_VISITOR)),
    ]
  } finally {
    await server.stop()
  }
}

async function fill(db: Db) {
  for (let from = 1; from <= EVENTS; from += BATCH) await db.query(FILL, [from, from + BATCH - 1])
  await vacuumed(db)
}
