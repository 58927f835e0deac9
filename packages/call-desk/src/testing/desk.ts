import type { Db } from '@heyline/database'
import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { type CallDesk, type CallDeskOptions, createCallDesk, SIMULATED_GATE } from '../index.js'

export { openDeskDb } from './desk-db.js'

export const HOOK_SECRET = 'hook-secret'

export const DISCLOSURE =
  'This is the AI assistant of Heyline. Say stop calling me, and we will not call again.'

/** A desk with waiting times of milliseconds, over the visitor `acme`. */
export function deskOf(db: Db, platformUrl: string, changes: Partial<CallDeskOptions> = {}): CallDesk {
  return createCallDesk({
    db,
    platform: new PlatformClient({ token: 'private-key', baseUrl: platformUrl }),
    assistantId: 'assistant-1',
    phoneNumberId: 'number-1',
    findVisitor: async (slug) =>
      slug.toLowerCase() === 'acme'
        ? { slug: 'acme', system: 'You answer for Acme.', first_message: 'Hello Acme!' }
        : null,
    hookSecrets: [HOOK_SECRET],
    gate: SIMULATED_GATE,
    disclosure: DISCLOSURE,
    logger: pino({ level: 'silent' }),
    ...changes,
    timings: { pollMs: 20, reconcileMs: 20, ...changes.timings },
  })
}

/** A POST to the webhook, as the page makes it. */
export function callRequest(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/functions/v1/call-me', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** A server message, as the platform posts it. */
export function hookRequest(message: object, secret = HOOK_SECRET): Request {
  return new Request('http://localhost/-/hooks/platform', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vapi-secret': secret },
    body: JSON.stringify({ message }),
  })
}

/** Requests a call and resolves with its id. */
export async function requestCall(desk: CallDesk, phone = '+14155552671'): Promise<string> {
  const response = await desk.webhook(callRequest({ phone, slug: 'acme' }))
  if (response.status !== 202) throw new Error(`The webhook answered ${response.status}`)
  const { id } = await response.json()
  return id
}

/** A row of the queue. */
export async function rowOf(db: Db, id: string): Promise<Record<string, unknown>> {
  const { rows } = await db.query('select * from call_desk.call_requests where id = $1', [id])
  return rows[0] ?? {}
}
