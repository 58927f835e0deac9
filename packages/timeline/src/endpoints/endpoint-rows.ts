import type { Queryable } from '@heyline/database'
import type { EventType } from '../events/event.js'
import { EVENTS_CHANNEL } from '../events/events-channel.js'
import type { Endpoint, EndpointKind } from './endpoint.js'
import type { SealedSecrets } from './sealed-secrets.js'

/** An endpoint as whoever sends needs it. */
export interface EndpointRow extends SealedSecrets {
  kind: EndpointKind
  target: string
  isDigest: boolean
}

/** Of `timeline.endpoints p`. */
export const ENDPOINT_COLUMNS = `p.id, p.kind, p.target, p.is_digest as "isDigest", p.secret, p.former_secret as "formerSecret",
  case when p.former_until = 'infinity' then '9999-01-01' else p.former_until end as "formerUntil"`

interface ShownRow extends Omit<Endpoint, 'formerUntil' | 'disabledAt' | 'createdAt'> {
  formerUntil: Date | null
  disabledAt: Date | null
  createdAt: Date
}

/** What is shown of the endpoints, the oldest first; of one where an id is given. */
export async function shownEndpoints(db: Queryable, id?: string): Promise<Endpoint[]> {
  const { rows } = await db.query<ShownRow>(
    `select p.id, p.name, p.kind, p.target, p.events, p.is_digest as "isDigest", p.is_of_settings as "isOfSettings",
       case when p.former_until > now() and p.former_until < 'infinity' then p.former_until end as "formerUntil",
       p.disabled_at as "disabledAt", p.disabled_reason as "disabledReason", p.created_at as "createdAt",
       (select count(*) from timeline.deliveries d where d.endpoint_id = p.id and d.state = 'pending')::int as pending,
       (select count(*) from timeline.deliveries d where d.endpoint_id = p.id and d.state = 'dead')::int as dead
     from timeline.endpoints p where $1::uuid is null or p.id = $1 order by p.created_at, p.id`,
    [id],
  )
  return rows.map(({ formerUntil, disabledAt, createdAt, ...row }) => ({
    ...row,
    events: [...row.events] as EventType[],
    formerUntil: formerUntil?.toISOString() ?? null,
    disabledAt: disabledAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }))
}

/** An endpoint by its id, or undefined. */
export async function endpointRow(db: Queryable, id: string): Promise<EndpointRow | undefined> {
  const { rows } = await db.query<EndpointRow>(
    `select ${ENDPOINT_COLUMNS} from timeline.endpoints p where p.id = $1`,
    [id],
  )
  return rows[0]
}

/** Senders look at once for what is to be sent. */
export async function wakeSenders(db: Queryable): Promise<void> {
  await db.query(`select pg_notify('${EVENTS_CHANNEL}', '')`)
}
