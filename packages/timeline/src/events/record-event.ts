import type { Queryable } from '@heyline/database'
import type { z } from 'zod'
import type { EVENT_PAYLOADS, EventType } from './event.js'

/** An event that no trigger writes: it is told by the code that knows of it. */
export interface NewEvent<Type extends EventType = EventType> {
  type: Type
  slug?: string | undefined
  actor: string
  callId?: string | undefined
  /** Who opened a page, hashed. */
  opener?: string | undefined
  payload: z.input<(typeof EVENT_PAYLOADS)[Type]>
}

/** Stores an event, in the transaction of what it tells. A second one of a call and a type changes nothing. */
export async function recordEvent<Type extends EventType>(
  tx: Queryable,
  { type, slug, actor, callId, opener, payload }: NewEvent<Type>,
): Promise<void> {
  await tx.query(
    `insert into timeline.events (type, slug, actor, call_id, opener, payload) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [type, slug, actor, callId, opener, payload],
    { prepared: true },
  )
}

/** Says who does what the rest of the transaction does: triggers write it into the events. */
export async function actAs(tx: Queryable, actor: string): Promise<void> {
  await tx.query("select set_config('heyline.actor', $1, true)", [actor], { prepared: true })
}
