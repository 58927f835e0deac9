import { hasCome, isWithin, type Queryable } from '@heyline/database'
import { isInFlight } from '../call/call-state.js'
import type { ClientAddress } from '../call/client-address.js'
import type { PhoneNumber } from '../call/phone-number.js'
import type { GateSettings, Limit } from './gate-settings.js'
import {
  LIMIT_KINDS,
  type LimitKind,
  type LimitName,
  SHARED_LIMITS,
  type SharedLimitName,
} from './limit-kinds.js'
import { dearestCost } from './longest-cost.js'
import { manyNumbers } from './many-numbers.js'
import { ANYBODY, type NetworkSpend, NO_SPEND, networkSpend } from './network-share.js'
import { countsForAsker, heldAgainstAsker } from './refusal.js'
import { totalOf } from './slug-totals.js'

/** Who asks for a call, and to which number. */
export interface Asked {
  number: PhoneNumber
  /** As stored. */
  slug: string
  /** Undefined if the desk does not learn client addresses: then the limits of addresses and networks do not apply. */
  client: ClientAddress | undefined
}

/** What the database knows about a request before the decision, all read at one moment. Browser calls do not count here. */
export interface GateFacts {
  /** The database's clock, the only clock that the gate uses. */
  now: Date
  paused: boolean
  breakerOpen: boolean
  doNotCall: boolean
  /** An earlier request to the number may have become a call, and the call may still run. */
  unknownPending: boolean
  /** Stored refusals of this address in the last hour, up to `STORED_REFUSALS.address`. All unknown addresses count as one. */
  refusals: number
  /** The same for the network of this address, up to `STORED_REFUSALS.network`; 0 if it is not known. */
  networkRefusals: number
  /** Of both those that are held against the client, counted for themselves. */
  heldRefusals: number
  networkHeldRefusals: number
  /** Stored attempts of the last hour without a good token of the human check, of all addresses, up to `STORED_REFUSALS.failedChecks`. */
  failedChecks: number
  /**
   * Earlier requests for each kind of limit, one count for each of its windows. A count stops at its limit, except for a lifetime's. Empty
   * if calls are simulated.
   */
  counts: Partial<Record<LimitName, readonly number[]>>
  /** What the network has of the counts that networks share; none where it may be anybody's. */
  networkCounts: Partial<Record<SharedLimitName, readonly number[]>>
  /** The address has asked for too many different numbers. */
  manyNumbers: boolean
  /** What the calls of this network cost; nothing where it is not known, or calls are simulated. */
  networkSpend: NetworkSpend
  /** Calls in flight: of the slug those that we place, and in all those that come in too. */
  slugInFlight: number
  inFlight: number
  /** Of the network those that we place; none where it may be anybody's. */
  networkInFlight: number
}

/**
 * How many refused attempts are stored in an hour, so that a flood cannot fill the disk: of one address, and of one network, since the owner
 * of a /48 has 65,536 addresses. Those that are held against the client are counted for themselves: it could else go on uncounted behind
 * refusals that cost nothing. Of attempts without a good token, which anybody can make up, so many are stored of all networks together.
 */
export const STORED_REFUSALS = { address: 100, network: 300, failedChecks: 300 } as const

/**
 * In SQL: the request may have become a call. This holds until the desk finds out or gives up; then the row has a record, or another state.
 * Even a `failed` request may turn out to have a call: that call is being ended.
 */
const UNSURE = `r.kind = 'phone' and r.recorded_at is null and (r.state = 'unknown'
  or r.state = 'failed' and r.platform_call_id is not null and r.sent_at > now() - interval '1 hour')`

const ROWS = 'call_desk.call_requests r'
const HOUR_MS = 3_600_000

/** Counts calls that we were asked for, up to `most`, so that a flood of requests costs no more time. */
const countTo = (most: number, where: string): string =>
  `(select count(*)::int from (select from ${ROWS} where r.kind = 'phone' and not r.inbound and ${where} limit ${most}) counted)`

function limitCount(kind: LimitKind, { most, windowMs }: Limit, only: readonly string[] = []): string {
  const where = [
    ...only,
    ...(kind.column === undefined ? [] : [`r.${kind.column} = asked.${kind.column}`]),
    kind.countsRefused ? countsForAsker('r') : `r.state <> 'refused'`,
  ]
  if (Number.isFinite(windowMs)) where.push(isWithin('r.created_at', windowMs))
  else if (kind.column === 'slug')
    where.push(
      `r.created_at > coalesce((select z.at from call_desk.slug_resets z where z.slug = asked.slug and ${hasCome('z.at')}), '-infinity')`,
    )
  const counted = countTo(most, where.join(' and '))
  return !Number.isFinite(windowMs) && kind.column === 'slug' ? `${counted} + ${totalOf('phone')}` : counted
}

/**
 * Counts calls in flight, and requests that may have become a call, for as long as such a call could last. Each count uses a small index of
 * its own. A number stays closed until its request is settled. Places for other calls must not stay taken that long.
 */
const countCalls = (of: string, maxSeconds: number): string =>
  [
    `r.kind = 'phone' and ${isInFlight('r')}`,
    `${UNSURE} and (r.platform_call_id is not null or r.sent_at > now() - interval '${maxSeconds + 60} seconds')`,
  ]
    .map((predicate) => `(select count(*)::int from ${ROWS} where ${predicate}${of})`)
    .join(' + ')

const isShared = ({ limits }: LimitKind): boolean => SHARED_LIMITS.some((shared) => shared === limits)

/** The statement that reads all facts. Its parameters: phone, slug, address, network, prefix, country. */
export function factsStatement(settings: GateSettings): string {
  const full = settings.mode === 'full'
  const refused = (most: number, whose: string): string =>
    countTo(most, `${whose} and r.state = 'refused' and ${isWithin('r.created_at', HOUR_MS)}`)
  const ofAddress = (which = ''): string => `case when asked.address is null
    then ${refused(STORED_REFUSALS.address, `r.address is null${which}`)}
    else ${refused(STORED_REFUSALS.address, `r.address = asked.address${which}`)} end`
  const ofNetwork = (which = ''): string =>
    refused(STORED_REFUSALS.network, `r.network = asked.network${which}`)
  const held = ` and ${heldAgainstAsker('r')}`
  const counts = LIMIT_KINDS.map(
    (kind) =>
      `'${kind.limits}', jsonb_build_array(${settings[kind.limits].map((limit) => limitCount(kind, limit)).join(', ')})`,
  )
  const ofOwnNetwork = (counted: string) =>
    `case when asked.network is null or asked.network in (${ANYBODY}) then 0 else ${counted} end`
  const ownCounts = LIMIT_KINDS.filter(isShared).map((kind) => {
    const each = settings[kind.limits].map((limit) =>
      ofOwnNetwork(limitCount(kind, limit, ['r.network = asked.network'])),
    )
    return `'${kind.limits}', jsonb_build_array(${each.join(', ')})`
  })
  const numbers = full && settings.addressNumbers ? manyNumbers(settings.addressNumbers) : 'false'
  return `
    with asked (phone, slug, address, network, prefix, country) as
      (values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text)),
    refused as materialized (select ${ofAddress()} as "refusals", ${ofNetwork()} as "networkRefusals",
      ${ofAddress(held)} as "heldRefusals", ${ofNetwork(held)} as "networkHeldRefusals",
      ${refused(STORED_REFUSALS.failedChecks, "r.refusal = 'human_check_failed'")} as "failedChecks" from asked)
    select now(), s.paused_at is not null as paused, s.breaker_at is not null as "breakerOpen",
      exists (select from call_desk.do_not_call d where d.phone = asked.phone) as "doNotCall",
      exists (select from ${ROWS} where r.phone = asked.phone and not r.inbound and ${UNSURE}) as "unknownPending",
      refused.*,
      ${full ? `jsonb_build_object(${counts.join(', ')})` : `'{}'::jsonb`} as counts,
      ${full ? `jsonb_build_object(${ownCounts.join(', ')})` : `'{}'::jsonb`} as "networkCounts",
      case when refused."heldRefusals" < ${STORED_REFUSALS.address} and refused."networkHeldRefusals" < ${STORED_REFUSALS.network}
        then ${numbers} else false end as "manyNumbers",
      ${full ? networkSpend('phone', dearestCost(settings), settings) : NO_SPEND} as "networkSpend",
      ${full ? countCalls(' and r.slug = asked.slug and not r.inbound', settings.maxSeconds) : '0'} as "slugInFlight",
      ${full ? countCalls('', settings.maxSeconds) : '0'} as "inFlight",
      ${full ? ofOwnNetwork(countCalls(' and r.network = asked.network and not r.inbound', settings.maxSeconds)) : '0'} as "networkInFlight"
    from asked, refused, call_desk.switches s`
}

export async function readFacts(tx: Queryable, statement: string, asked: Asked): Promise<GateFacts> {
  const { number, slug, client } = asked
  const { rows: found } = await tx.query<GateFacts>(
    statement,
    [number.e164, slug, client?.address, client?.network, number.prefix, number.country],
    { prepared: true },
  )
  const [facts] = found
  if (!facts) throw new Error('The switches of the call desk are missing: their row was deleted.')
  return facts
}
