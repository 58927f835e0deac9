import { randomUUID } from 'node:crypto'
import { type Db, isWithin, type Queryable } from '@heyline/database'
import type { Logger } from 'pino'
import { isInFlight } from '../call/call-state.js'
import { parsePhoneNumber } from '../call/phone-number.js'
import { UNCONFIRMED } from '../call/unconfirmed.js'
import type { GateSettings, Limit } from '../gate/gate-settings.js'
import { countAsIncoming, isBeyondIncomingShare } from '../gate/incoming-share.js'
import { longestCost } from '../gate/longest-cost.js'
import { applyNews } from '../news/call-news.js'
import { LOCK_STATEMENT } from '../queue/reserve.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import { Rate } from '../run/rate.js'
import type { Timings } from '../run/timings.js'
import type { IncomingRefusals } from './incoming-refusals.js'

/** A call that somebody makes to one of our numbers. */
export interface IncomingAsked {
  /** The platform's id of it. */
  callId: string
  /** The caller's number (E.164). */
  from: string
  /** Whether somebody vouches that the caller has this number. Else anybody may say so. */
  proven: boolean
}

/** Why an admitted call was not taken after all: the number's server has not named who answers. Else it could not be stored. */
export type NotTaken = 'unnamed'

/**
 * Whether it may be taken. Of one that could not be taken after all, `failed` gives the money back. One that is over before anybody showed that
 * it was real leaves its place by `unconfirmed`: whoever hears of its end may be another server. Neither rejects.
 */
export type IncomingReservation =
  | {
      admitted: true
      maxSeconds: number
      failed(why?: NotTaken): Promise<void>
      unconfirmed(): Promise<void>
    }
  | { admitted: false }

export interface IncomingCalls {
  /** Reserves a row and its money. Rejects where the database is away. */
  reserve(asked: IncomingAsked): Promise<IncomingReservation>
}

export interface IncomingCallsOptions {
  db: Db
  gate: GateSettings
  timings: Pick<Timings, 'newsMs'>
  /** Counts calls that are not let pass; nobody where it is left out. */
  refusals?: Pick<IncomingRefusals, 'count'> | undefined
  measures?: DeskMeasures | undefined
  logger: Logger
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** The platform stores a call once the number's server has answered, for which it has 7.5 s. Nobody asks about the call before. */
const STORED_MS = 20_000

/** What is stored of why it was not taken. The index of calls that count for all has the first. */
const UNNAMED = 'not_taken: the server of the number has not named who answers'
const NOT_STORED = 'not_taken: the call could not be stored'

/** Taken calls of one number, and of all. A refused one counts for none of them. */
const NUMBER_LIMITS: readonly Limit[] = [
  { most: 3, windowMs: 10 * MINUTE },
  { most: 10, windowMs: DAY },
]
const ALL_LIMITS: readonly Limit[] = [
  { most: 10, windowMs: MINUTE },
  { most: 100, windowMs: DAY },
]

/** Of all, those whose number is not proven have half: anybody makes up as many numbers as they like. */
const UNPROVEN_LIMITS: readonly Limit[] = ALL_LIMITS.map(({ most, windowMs }) => ({
  most: Math.floor(most / 2),
  windowMs,
}))

/** Lines of the log a minute about calls that are not let pass for one reason: anybody makes up calls. */
const TOLD_MOST = 20

const ROWS = 'call_desk.call_requests r'

/** In SQL: calls of this number. Those that only say that they come from it are none of somebody who has it. */
const OWN = 'r.phone = $1 and (not r.unproven or not $3::boolean)'
/** Each count uses a small index of its own. */
const OPEN = `r.kind = 'phone' and ${isInFlight('r')}`

/**
 * In SQL: all but those that our own platform says were never confirmed (by SIP, where anybody makes up a call). They are bounded by how many
 * of them there are at once, and cost nothing. The index of calls in has it, too.
 */
const MAYBE_REAL = `(r.in_progress_at is not null or r.ended_reason is distinct from '${UNCONFIRMED}')`

/**
 * In SQL: all but those for which the number's server named nobody. They count for their number, so that no caller has the server asked
 * without end; the limits of all are left to calls that are answered.
 */
const NAMED = `r.last_error is distinct from '${UNNAMED}'`

const reaches = ({ most, windowMs }: Limit, whose: string): string =>
  `(select count(*) >= ${most} from (select from ${ROWS} where r.inbound${whose} and ${MAYBE_REAL}
     and ${isWithin('r.created_at', windowMs)} limit ${most}) counted)`

/**
 * Why a call is not taken; null where only the money may stop it. `$1` is the caller's number, `$2` the most calls at once, `$3` whether the
 * number is proven. Of one place there is no half: it is for the calls that we place. Unproven calls hold half of the places of calls to us, or
 * one.
 */
const REFUSAL = `select case
  when s.paused_at is not null then 'paused'
  when s.breaker_at is not null then 'breaker_open'
  when exists (select from ${ROWS} where ${OPEN} and ${OWN}) then 'in_flight'
  when ${NUMBER_LIMITS.map((limit) => reaches(limit, ` and ${OWN}`)).join(' or ')} then 'limit_number'
  when ${ALL_LIMITS.map((limit) => reaches(limit, ` and ${NAMED}`)).join(' or ')} then 'limit_starts'
  when not $3::boolean and (${UNPROVEN_LIMITS.map((limit) => reaches(limit, ` and r.unproven and ${NAMED}`)).join(' or ')}) then 'limit_starts'
  when (select count(*) >= $2::int or (count(*) filter (where r.inbound) + 1) * 2 > $2::int
      or (not $3::boolean and count(*) filter (where r.unproven) > 0 and (count(*) filter (where r.unproven) + 1) * 4 > $2::int)
    from ${ROWS} where ${OPEN})
    then 'limit_concurrent'
  end as refusal from call_desk.switches s`

/**
 * The gate for calls to our numbers. They share the places of the calls that we make, of which they hold half at most, and the budgets, of
 * which they have half of what those leave; the limits of numbers and of all are their own. Of all this, calls under numbers that are not
 * proven have half. Taken ones are stored as sent, so that no worker ever dials them, and are followed as all are.
 */
export function createIncomingCalls({
  db,
  gate,
  timings,
  refusals,
  measures,
  logger,
}: IncomingCallsOptions): IncomingCalls {
  const { maxSeconds, dayBudget, monthBudget, countries, concurrent } = gate
  const told = new Rate(TOLD_MOST)
  const dearest = Math.max(0, ...countries.values())
  return {
    async reserve({ callId, from, proven }) {
      const number = parsePhoneNumber(from)
      if (!number) return { admitted: false }
      const cost = longestCost(maxSeconds, countries.get(number.country) ?? dearest)
      const id = randomUUID()
      const refusal = await db.transaction(async (tx: Queryable) => {
        await tx.query(LOCK_STATEMENT)
        const { rows } = await tx.query<{ refusal: string | null }>(REFUSAL, [
          number.e164,
          concurrent,
          proven,
        ])
        if (rows[0]?.refusal !== null) return rows[0]?.refusal ?? 'paused'
        const caller = { phone: number.e164, proven }
        if (await isBeyondIncomingShare(tx, { caller, amount: cost, dayBudget, monthBudget }))
          return 'budget_exhausted'
        const { rows: added } = await tx.query(
          `with money as (select call_desk.reserve_spend($1::uuid, 'phone', $2::bigint, $3::bigint, $4::bigint, now()) as spent)
           insert into call_desk.call_requests (id, kind, inbound, unproven, state, dialling_at, sent_at, attempts, phone, country, prefix,
             slug, body_hash, max_seconds, platform_call_id, check_at)
           select $1::uuid, 'phone', true, not $11::boolean, 'dialling', now(), now(), 1, $5, $6, $7,
             coalesce((select r.slug from ${ROWS} where $11::boolean and r.phone = $5 and not r.inbound and r.state <> 'refused'
               order by r.created_at desc limit 1), ''),
             '', $8::int, $9, now() + $10::float8 * interval '1 ms'
           from money where spent is null returning id`,
          [
            id,
            cost,
            dayBudget,
            monthBudget,
            number.e164,
            number.country,
            number.prefix,
            maxSeconds,
            callId,
            Math.max(timings.newsMs, STORED_MS),
            proven,
          ],
        )
        if (added.length === 0) return 'budget_exhausted'
        await countAsIncoming(tx, id)
        return undefined
      })
      if (refusal !== undefined) {
        measures?.refused('phone', 'in', refusal)
        refusals?.count(refusal)
        if (told.count(refusal)) logger.info({ refusal }, 'incoming call not let pass')
        return { admitted: false }
      }
      return {
        admitted: true,
        maxSeconds,
        failed: (why) => giveBack(db, { id, why }, logger),
        async unconfirmed() {
          const over = { callId, state: 'ended', endedReason: UNCONFIRMED, heardAt: new Date() } as const
          try {
            await applyNews(db, { ...over, record: 'report', costMicrousd: 0 }, timings.newsMs)
          } catch (error) {
            // The reconciler asks the platform.
            logger.warn({ requestId: id, err: error }, 'the end of an incoming call could not be stored')
          }
        },
      }
    },
  }
}

/** Also of one about which the reconciler has asked meanwhile, and which the platform had not stored. */
async function giveBack(
  db: Db,
  { id, why }: { id: string; why: NotTaken | undefined },
  logger: Logger,
): Promise<void> {
  try {
    await db.query(
      `with closed as (
         update call_desk.call_requests set state = 'failed', failed_at = now(), updated_at = now(), check_at = null,
           last_error = $2, recorded_at = now(), ended_at = null, ended_reason = null, outcome = null
         where id = $1 and (state = 'dialling'
           or state = 'ended' and in_progress_at is null and ended_reason = 'not-found') returning id)
       select call_desk.settle_spend(id, 0)::text from closed`,
      [id, why === 'unnamed' ? UNNAMED : NOT_STORED],
    )
  } catch (error) {
    // The reconciler finds that the platform has no such call.
    logger.warn({ requestId: id, err: error }, 'an incoming call that was not taken could not be closed')
  }
}
