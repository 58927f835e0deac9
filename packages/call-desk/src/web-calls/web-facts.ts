import { hasCome, isWithin, type Queryable } from '@heyline/database'
import { type ClientAddress, NETWORKS_OF_ANYBODY } from '../call/client-address.js'
import type { Limit } from '../gate/gate-settings.js'
import { type NetworkSpend, NO_SPEND, networkSpend } from '../gate/network-share.js'
import type { Refusal } from '../gate/refusal.js'
import { admittedSlug, countsForAll, totalOf } from '../gate/slug-totals.js'
import { type WebGateSettings, worstCase } from './web-gate-settings.js'

/** Who wants to talk in the browser. */
export interface WebAsked {
  /** As stored; an empty one where the visitor is not known. All of those share the limits of one visitor. */
  slug: string
  /** Undefined where the desk is told of no addresses: then no limit of addresses and networks counts. */
  client: ClientAddress | undefined
}

/** What the database knows before a browser call is decided, all of one moment. Phone calls are no part of it. */
export interface WebFacts {
  paused: boolean
  /** Refused attempts of the last hour that are stored: of the address, of its network, and of all. */
  addressRefusals: number
  networkRefusals: number
  refusals: number
  /** Earlier calls of each kind of limit, in the order of its limits. Empty where calls are simulated. */
  counts: Partial<Record<WebLimitName, readonly number[]>>
  /** What the network has of the counts that networks share. None for a lifetime's limit, or where it may be anybody's. */
  networkCounts: Partial<Record<SharedLimitName, readonly number[]>>
  /** What the calls of the network cost; nothing where it is not known, or no such limit counts. */
  networkSpend: NetworkSpend
  /** Calls that may run now: of the address, of its network (none where that may be anybody's), and of all. */
  addressInFlight: number
  networkInFlight: number
  inFlight: number
}

/**
 * What browser calls are counted by. Refused attempts count for none: a person whose fourth call is refused has lost nothing. A call that
 * nobody joined counts for its address and network alone: such calls cost nothing, and must not close a page to everybody.
 */
export const WEB_LIMIT_KINDS = [
  { refusal: 'limit_address', limits: 'addressLimits', column: 'address' },
  { refusal: 'limit_network', limits: 'networkLimits', column: 'network' },
  { refusal: 'limit_slug', limits: 'slugLimits', column: 'slug' },
  { refusal: 'limit_starts', limits: 'startLimits', column: undefined },
] as const satisfies readonly {
  refusal: Refusal
  limits: keyof WebGateSettings
  column: string | undefined
}[]

type WebLimitKind = (typeof WEB_LIMIT_KINDS)[number]
export type WebLimitName = WebLimitKind['limits']

/** Limits of which one network may have only a share: those of a visitor's page, and of all calls. */
export const SHARED_LIMITS = ['slugLimits', 'startLimits'] as const satisfies readonly WebLimitName[]

type SharedLimitName = (typeof SHARED_LIMITS)[number]

const SHARED_KINDS = WEB_LIMIT_KINDS.filter(({ limits }) => SHARED_LIMITS.some((shared) => shared === limits))

/** How many refused attempts are stored in an hour: of one address, of one network, and of all. A flood cannot fill the disk. */
export const STORED_REFUSALS = { address: 20, network: 60, all: 300 } as const

/** Seconds that a call may take to begin and to end, beyond its longest duration. After that it holds no place, whatever was heard of it. */
const GRACE_SECONDS = 60

const HOUR_MS = 3_600_000
const WEB_ROWS = `call_desk.call_requests r where r.kind = 'web'`

/** What this network has of a count. A lifetime's limit has no share for networks: addresses are not kept that long. */
const networkCount = (column: string | undefined, limit: Limit): string =>
  Number.isFinite(limit.windowMs)
    ? `case when $4::jsonb ? asked.network then 0 else ${limitCount(column, limit, ['r.network = asked.network'])} end`
    : '0'

function limitCount(
  column: string | undefined,
  { most, windowMs }: Limit,
  only: readonly string[] = [],
): string {
  const where = [`r.state <> 'refused'`, ...only]
  if (column !== undefined)
    where.push(`${column === 'slug' ? admittedSlug('r') : `r.${column}`} = asked.${column}`)
  if (column === undefined || column === 'slug') where.push(countsForAll('r'))
  if (Number.isFinite(windowMs)) where.push(isWithin('r.created_at', windowMs))
  else if (column === 'slug')
    where.push(
      `r.created_at > coalesce((select z.at from call_desk.slug_resets z where z.slug = asked.slug and ${hasCome('z.at')}), '-infinity')`,
    )
  const counted = `(select count(*)::int from (select from ${WEB_ROWS} and ${where.join(' and ')} limit ${most}) counted)`
  return !Number.isFinite(windowMs) && column === 'slug' ? `${counted} + ${totalOf('web')}` : counted
}

/** The statement that reads all facts. Its parameters: slug, address, network, `NETWORKS_OF_ANYBODY`. */
export function webFactsStatement(settings: WebGateSettings): string {
  const full = settings.mode === 'full'
  const price = worstCase(settings)
  const counts = (kinds: readonly WebLimitKind[], count: typeof networkCount): string => {
    const entries = kinds.map(
      ({ limits, column }) =>
        `'${limits}', jsonb_build_array(${settings[limits].map((limit) => count(column, limit)).join(', ')})`,
    )
    return full ? `jsonb_build_object(${entries.join(', ')})` : `'{}'::jsonb`
  }
  const counted = (rows: string, whose?: 'address' | 'network'): string =>
    `(select count(*)::int from ${rows}${whose ? ` where ${rows}.${whose} = asked.${whose}` : ''})`
  return `
    with asked (slug, address, network) as (values ($1::text, $2::text, $3::text)),
    refused as materialized (
      select r.address, r.network from ${WEB_ROWS} and r.state = 'refused' and ${isWithin('r.created_at', HOUR_MS)}
      limit ${STORED_REFUSALS.all}),
    open as materialized (
      select r.address, r.network from ${WEB_ROWS} and r.state in ('queued', 'dialling', 'ringing', 'in-progress')
        and r.created_at > now() - (coalesce(r.max_seconds, ${settings.maxSeconds}) + ${GRACE_SECONDS}) * interval '1 second' and ${hasCome('r.created_at')})
    select s.paused_at is not null as paused,
      ${counted('refused', 'address')} as "addressRefusals", ${counted('refused', 'network')} as "networkRefusals",
      ${counted('refused')} as "refusals",
      ${counts(WEB_LIMIT_KINDS, (column, limit) => limitCount(column, limit))} as counts,
      ${counts(SHARED_KINDS, networkCount)} as "networkCounts",
      ${full && price !== undefined ? networkSpend('web', price, settings) : NO_SPEND} as "networkSpend",
      ${counted('open', 'address')} as "addressInFlight",
      case when $4::jsonb ? asked.network then 0 else ${counted('open', 'network')} end as "networkInFlight",
      ${counted('open')} as "inFlight"
    from asked, call_desk.switches s`
}

export async function readWebFacts(
  tx: Queryable,
  statement: string,
  { slug, client }: WebAsked,
): Promise<WebFacts> {
  const parameters = [slug, client?.address, client?.network, NETWORKS_OF_ANYBODY]
  const { rows } = await tx.query<WebFacts>(statement, parameters, { prepared: true })
  const [facts] = rows
  if (!facts) throw new Error('The switches of the call desk are missing: their row was deleted.')
  return facts
}
