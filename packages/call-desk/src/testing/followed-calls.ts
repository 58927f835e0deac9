import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { expect } from 'vitest'
import { UnknownReasons } from '../call/outcome.js'
import { InboxWorker, type InboxWorkerOptions } from '../following/inbox-worker.js'

const logger = pino({ level: 'silent' })

/** A worker of the inbox that looks often; whoever asks starts and closes it. */
export function inboxWorkerOf(db: Db, changes: Partial<InboxWorkerOptions> = {}): InboxWorker {
  return new InboxWorker({
    db,
    timings: { pollMs: 20, newsMs: 5000 },
    logger,
    reasons: new UnknownReasons(logger),
    onSaid: async () => {},
    ...changes,
  })
}

/** Resolves when every message in the inbox has been dealt with. */
export async function drained(db: Db): Promise<void> {
  const open = 'select id, attempts, last_error from call_desk.inbox where done_at is null'
  await expect.poll(async () => (await db.query(open)).rows, { timeout: 5000, interval: 10 }).toEqual([])
}

/** Requests as they are when the platform has taken them; one for each call id, with their money reserved. Resolves with their ids. */
export async function insertPlaced(db: Db, callIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; callId: string }>(
    `with added as (
       insert into call_desk.call_requests
         (phone, slug, body_hash, state, dialling_at, sent_at, attempts, platform_call_id, max_seconds)
       select '+1415' || lpad((n + (select count(*) from call_desk.call_requests))::text, 7, '0'), 'acme', '', 'dialling',
         now(), now(), 1, call_id, 180
       from jsonb_array_elements_text($1::jsonb) with ordinality as calls(call_id, n)
       returning id, platform_call_id),
     reserved as (
       insert into call_desk.ledger (request_id, at, reserved) select id, now(), 750000 from added)
     select id, platform_call_id as "callId" from added`,
    [callIds],
  )
  return new Map(rows.map(({ id, callId }) => [callId, id]))
}
