import type { Db, Queryable } from '@heyline/database'
import type { ClientAddress } from '../call/client-address.js'
import { isForgotten, shareForgotten } from './forgotten-calls.js'

/** A browser call that a hosted platform made without asking us. */
export interface UnaskedCall {
  /** The platform's id. */
  callId: string
  /** As stored; empty where nobody said for which visitor it is. */
  slug: string
  client?: ClientAddress | undefined
  controlUrl?: string | undefined
}

/**
 * Stores calls as begun, so that the platform's messages and the reconciler lead them to their ends. No money is reserved, and no limit of a
 * page counts them: nobody admitted them. Those that are there stay as they are, and those that were erased or removed stay away. To be asked in
 * a transaction.
 */
export async function storeUnasked(
  tx: Queryable,
  calls: readonly UnaskedCall[],
  { maxSeconds, newsMs }: { maxSeconds: number; newsMs: number },
): Promise<void> {
  if (calls.length === 0) return
  await shareForgotten(tx)
  await tx.query(
    `insert into call_desk.call_requests (kind, state, dialling_at, sent_at, attempts, slug, admitted_slug, body_hash, address, network,
       max_seconds, platform_call_id, control_url, check_at)
     select 'web', 'dialling', now(), now(), 1, n.slug, '', '', n.address, n.network, $2::int, n.call_id, n.control_url,
       now() + $3::float8 * interval '1 ms'
     from json_to_recordset($1::json) as n(call_id text, slug text, address text, network text, control_url text)
     where not ${isForgotten('n.call_id')}
     order by n.call_id
     on conflict (platform_call_id) do nothing`,
    [
      calls.map(({ callId, slug, client, controlUrl }) => ({
        call_id: callId,
        slug,
        address: client?.address,
        network: client?.network,
        control_url: controlUrl,
      })),
      maxSeconds,
      newsMs,
    ],
    { prepared: true },
  )
}

/** What the records have of a browser call of the platform's. */
export async function findWebCall(db: Db, callId: string): Promise<{ slug: string } | undefined> {
  const { rows } = await db.query<{ slug: string }>(
    "select slug from call_desk.call_requests where platform_call_id = $1 and kind = 'web'",
    [callId],
    { prepared: true },
  )
  return rows[0]
}

/**
 * The call is this visitor's, where nobody knew of any; else it stays as it is. The limits go on counting it by the slug under which it was
 * admitted, so that no note fills those of a page.
 */
export async function nameWebCall(tx: Queryable, callId: string, slug: string): Promise<void> {
  await tx.query(
    `update call_desk.call_requests set slug = $2, admitted_slug = coalesce(admitted_slug, slug), updated_at = now()
     where platform_call_id = $1 and kind = 'web' and slug = ''`,
    [callId, slug],
    { prepared: true },
  )
}
