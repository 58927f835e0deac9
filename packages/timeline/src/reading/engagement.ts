import type { Queryable } from '@heyline/database'
import { mapInTurns } from '@heyline/kit/loop-turn'
import { z } from 'zod'

/** ISO 8601; null where it never happened. */
const time = z.string().nullable()

/** What is counted of a visitor, over all times. */
const visitorCounts = z.object({
  /** As stored. */
  slug: z.string(),
  /** How often a person opened the page. */
  opens: z.number(),
  firstOpenedAt: time,
  lastOpenedAt: time,
  /** Calls to a telephone that were asked for, and calls in the browser that somebody joined. */
  calls: z.number(),
  /** Those of them in which somebody was there. */
  talked: z.number(),
  /** Talked in all. */
  seconds: z.number(),
  /** The longest call. */
  longestSeconds: z.number(),
  /** When the visitor last did something. */
  lastSeenAt: time,
})
export type VisitorCounts = z.output<typeof visitorCounts>

/** The last 30 days of a visitor (UTC), the oldest first; days without anything among them. */
const engagementDay = z.object({
  /** Like 2026-05-01. */
  day: z.string(),
  opens: z.number(),
  calls: z.number(),
})

export const engagement = z.object({ counts: visitorCounts, days: z.array(engagementDay) })
export type Engagement = z.output<typeof engagement>

const COUNT_COLUMNS = `v.slug, v.opens, v.first_opened_at as "firstOpenedAt", v.last_opened_at as "lastOpenedAt", v.calls, v.talked,
  v.seconds, v.longest_seconds as "longestSeconds", v.last_seen_at as "lastSeenAt"`

type CountRow = Omit<VisitorCounts, 'firstOpenedAt' | 'lastOpenedAt' | 'lastSeenAt'> & {
  firstOpenedAt: Date | null
  lastOpenedAt: Date | null
  lastSeenAt: Date | null
}

const countsOf = ({
  slug,
  opens,
  calls,
  talked,
  seconds,
  longestSeconds,
  ...row
}: CountRow): VisitorCounts => ({
  ...{ slug, opens, calls, talked, seconds, longestSeconds },
  firstOpenedAt: row.firstOpenedAt?.toISOString() ?? null,
  lastOpenedAt: row.lastOpenedAt?.toISOString() ?? null,
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
})

/** What a visitor did: nothing yet where nothing is known. */
export async function readEngagement(db: Queryable, slug: string): Promise<Engagement> {
  const { rows } = await db.query<CountRow>(
    `select ${COUNT_COLUMNS} from timeline.visitors v where lower(v.slug) = lower($1)`,
    [slug],
  )
  const [row] = rows
  const { rows: days } = await db.query<Engagement['days'][number]>(
    `select d::date::text as day,
       (count(*) filter (where e.type = 'page.opened'))::int as opens,
       (count(*) filter (where e.type in ('call.requested', 'webcall.started')))::int as calls
     from generate_series((now() at time zone 'UTC')::date - 29, (now() at time zone 'UTC')::date, interval '1 day') d
     left join timeline.events e on lower(e.slug) = lower($1) and e.type in ('page.opened', 'call.requested', 'webcall.started')
       and e.at >= now() - interval '31 days' and (e.at at time zone 'UTC')::date = d::date
     group by 1 order by 1`,
    [slug],
  )
  return { counts: row ? countsOf(row) : nothingOf(slug), days }
}

const nothingOf = (slug: string): VisitorCounts => ({
  slug,
  opens: 0,
  firstOpenedAt: null,
  lastOpenedAt: null,
  calls: 0,
  talked: 0,
  seconds: 0,
  longestSeconds: 0,
  lastSeenAt: null,
})

/** Which visitors are meant. */
export const ENGAGEMENT_FILTERS = ['opened', 'opened_not_called', 'talked', 'talked_over_a_minute'] as const
export type EngagementFilter = (typeof ENGAGEMENT_FILTERS)[number]

const CONDITIONS: Readonly<Record<EngagementFilter, string>> = {
  opened: 'v.opens > 0',
  opened_not_called: 'v.opens > 0 and v.calls = 0',
  talked: 'v.talked > 0',
  talked_over_a_minute: 'v.longest_seconds > 60',
}

/** Longest page. */
export const ENGAGED_LIMIT = 1000

export interface EngagedQuery {
  filter?: EngagementFilter | undefined
  /** The `next` of the page before. */
  after?: string | undefined
  /** At most `ENGAGED_LIMIT`. */
  limit: number
}

export const engagedPage = z.object({
  visitors: z.array(
    visitorCounts.extend({
      /** Null where the visitor is gone, or in a table that is hosted elsewhere. */
      name: z.string().nullable(),
    }),
  ),
  /** Where the next page begins; null at the end. */
  next: z.string().nullable(),
})
export type EngagedPage = z.output<typeof engagedPage>

/** Visitors who did something, the one seen last first. */
export async function listEngaged(
  db: Queryable,
  { filter, after, limit }: EngagedQuery,
): Promise<EngagedPage> {
  const most = Math.min(limit, ENGAGED_LIMIT)
  const values: unknown[] = [most + 1]
  const conditions = ['v.last_seen_at is not null']
  if (filter !== undefined) conditions.push(CONDITIONS[filter])
  if (after !== undefined) {
    const [at, slug] = placeIn(after)
    conditions.push(`(v.last_seen_at, v.slug) < ($${values.push(at)}::timestamptz, $${values.push(slug)})`)
  }
  const { rows } = await db.query<CountRow & { name: string | null }>(
    `with page as materialized (
       select * from timeline.visitors v where ${conditions.join(' and ')}
       order by v.last_seen_at desc, v.slug desc limit $1)
     select ${COUNT_COLUMNS}, p.name from page v left join public.visitors p on lower(p.slug) = lower(v.slug)
     order by v.last_seen_at desc, v.slug desc`,
    values,
  )
  const visitors = await mapInTurns(rows.slice(0, most), (row) => ({ ...countsOf(row), name: row.name }))
  const last = visitors.at(-1)
  return { visitors, next: rows.length > most && last ? `${last.lastSeenAt} ${last.slug}` : null }
}

/** A time and a slug. */
function placeIn(after: string): [string, string] {
  const space = after.indexOf(' ')
  return [after.slice(0, space), after.slice(space + 1)]
}
