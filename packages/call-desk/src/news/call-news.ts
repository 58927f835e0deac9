import type { Queryable } from '@heyline/database'
import type { Logger } from 'pino'
import { type CallState, statesBefore } from '../call/call-state.js'
import { outcomeOf } from '../call/outcome.js'
import { APPLY_NEWS_SQL, type CostRules } from './news-sql.js'

/** Tells the log what news did to a request. */
export function logNews(logger: Logger, { id, state, was, isMisjudged }: NewsResult): void {
  if (isMisjudged)
    logger.error(
      { requestId: id, state, reason: 'not_placed' },
      'a request that counted as not placed has a call after all: the call is ended',
    )
  else if (state !== was) logger.info({ requestId: id, state }, 'call request')
}

/** Something that was heard of a placed call, from whom and when ever. */
export interface CallNews {
  /** The platform's id. */
  callId: string
  /** Our own id, where the platform gave it back (as the call's name): it finds the row before its platform id is stored. */
  requestId?: string | undefined
  /** Where the platform takes commands for the running call. */
  controlUrl?: string | undefined
  state?: 'ringing' | 'in-progress' | 'ended' | undefined
  ringingAt?: Date | undefined
  /** When the carrier began to bill it, where the platform tells that: whoever answered, and whether or not they came to talk. */
  answeredAt?: Date | undefined
  inProgressAt?: Date | undefined
  endedAt?: Date | undefined
  /** The platform's own word; with state `ended` only. */
  endedReason?: string | undefined
  /** When it was said; stands in for the end of a record that does not tell it. */
  heardAt?: Date | undefined
  /** It is the platform's record of a call that is over: what it sent as its report, or what it showed when asked. */
  record?: 'report' | 'polled' | undefined
  costMicrousd?: number | undefined
  transcript?: string | undefined
  /** What the person called said, turn by turn, where a record shows that. */
  saidByUser?: readonly string[] | undefined
  summary?: string | undefined
  /** No record will come any more: the platform has none, or was asked for long enough. */
  isGivenUp?: boolean | undefined
}

/** A row that news moved, or left where it was. */
export interface NewsResult {
  id: string
  state: CallState
  was: CallState
  /** The row is `failed`, and this is the first that is heard of a call of it, which has rung or may ring. */
  isMisjudged: boolean
}

const MOVES_TO = Object.fromEntries(
  (['ringing', 'in-progress', 'ended'] as const).map((state) => [state, statesBefore(state)]),
)

const rowOf = (news: CallNews) => ({
  call_id: news.callId,
  request_id: news.requestId,
  control_url: news.controlUrl,
  state: news.state,
  ringing_at: news.ringingAt,
  answered_at: news.answeredAt,
  in_progress_at: news.inProgressAt,
  ended_at: news.endedAt,
  ended_reason: news.endedReason,
  outcome: news.state === 'ended' ? outcomeOf(news.endedReason) : undefined,
  heard_at: news.heardAt,
  record: news.record ?? 'none',
  cost: news.costMicrousd,
  transcript: news.transcript,
  summary: news.summary,
  given_up: news.isGivenUp ?? false,
})

/** News of different calls, all of it in one statement. */
async function applyRound(
  db: Queryable,
  round: readonly CallNews[],
  newsMs: number,
  isPart: boolean,
): Promise<NewsResult[]> {
  const { rows } = await db.query<NewsResult>(APPLY_NEWS_SQL, [round.map(rowOf), MOVES_TO, newsMs, isPart], {
    prepared: true,
  })
  return rows
}

/**
 * Brings news into the rows, by rules for which neither order nor repetition matters:
 *
 * - The state only moves forward.
 * - Until the record came, a time is the earliest that was heard of.
 * - The record decides when they began to talk, when and why it ended, and the outcome; the report stands above what was shown when
 *   asked. Neither is changed by what comes later, but what it left open (cost, transcript, summary) is filled in.
 * - `ringing_at` is as heard: where nobody said that it rings, there is none.
 *
 * With the report, or when it is given up, what was reserved for the call is settled, in the same statement; what the platform shows when
 * asked settles nothing below that (`settleUnreported` does, later). A row that is `failed` stays so; where it has a call all the same, that
 * is to be ended, and its money is reserved again. News of a call that is not ours changes nothing.
 * Resolves with the rows that were found.
 */
export async function applyAllNews(
  db: Queryable,
  all: readonly CallNews[],
  newsMs: number,
  { costsArePart = false }: CostRules = {},
): Promise<NewsResult[]> {
  const results: NewsResult[] = []
  for (let left = [...all]; left.length > 0; ) {
    // A statement changes a row once, so a second word on the same call goes into another.
    const round = new Map<string, CallNews>()
    const later: CallNews[] = []
    for (const news of left) {
      if (round.has(news.callId)) later.push(news)
      else round.set(news.callId, news)
    }
    results.push(...(await applyRound(db, [...round.values()], newsMs, costsArePart)))
    left = later
  }
  return results
}

/** `applyAllNews` of one piece of news. */
export async function applyNews(
  db: Queryable,
  news: CallNews,
  newsMs: number,
  rules?: CostRules,
): Promise<NewsResult | undefined> {
  return (await applyAllNews(db, [news], newsMs, rules))[0]
}

/** Gives calls their outcome in which the person said that we should stop calling, and which were over before that was heard. */
export async function noteStopped(db: Queryable, callIds: readonly string[]): Promise<void> {
  await db.query(
    `update call_desk.call_requests set outcome = 'caller_stopped', updated_at = now()
     where platform_call_id in (select jsonb_array_elements_text($1::jsonb))
       and state = 'ended' and hang_up_reason = 'stop_calling' and outcome is distinct from 'caller_stopped'`,
    [callIds],
    { prepared: true },
  )
}
