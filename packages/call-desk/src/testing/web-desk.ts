import type { Db } from '@heyline/database'
import { expect } from 'vitest'
import type { CallDesk, CallDeskOptions, WebCallReservation, WebGateSettings } from '../index.js'
import { DEFAULT_WEB_GATE } from '../index.js'
import { deskOf } from './desk.js'
import { ADDRESS_HEADER, addressOf, openGate } from './gate-desk.js'

/** A gate for browser calls in full force whose limits are all off, so that a test sets those that it is about. */
export const openWebGate: WebGateSettings = {
  ...DEFAULT_WEB_GATE,
  addressLimits: [],
  addressConcurrent: undefined,
  networkLimits: [],
  slugLimits: [],
  startLimits: [],
  concurrent: undefined,
  dayBudget: undefined,
  monthBudget: undefined,
}

/** Who wants to talk in a test. */
export interface WebAsk {
  slug?: string | undefined
  address?: string
}

const headersOf = (address: string | undefined): Record<string, string> =>
  address === undefined ? {} : { [ADDRESS_HEADER]: address }

/** Asks the gate as the platform does for a call that the public key starts. */
export function reserveWeb(desk: CallDesk, asked: WebAsk = {}): Promise<WebCallReservation> {
  const slug = 'slug' in asked ? asked.slug : 'acme'
  return desk.webCalls.reserve(
    new Request('http://localhost/-/platform/call/web', {
      method: 'POST',
      headers: headersOf(asked.address),
    }),
    slug,
  )
}

/** The same, where it must be let pass. */
export async function reservedWeb(
  desk: CallDesk,
  asked?: WebAsk,
): Promise<Extract<WebCallReservation, { result: 'reserved' }>> {
  const reservation = await reserveWeb(desk, asked)
  if (reservation.result === 'refused') throw new Error(`The gate answered ${reservation.status}`)
  return reservation
}

/** A POST to the function `web-call`, as the page makes it. */
export const mintRequest = (
  body: unknown = { slug: 'acme' },
  headers: Record<string, string> = {},
): Request =>
  new Request('http://localhost/functions/v1/web-call', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Why the latest request was refused. */
export async function lastRefusal(db: Db): Promise<unknown> {
  const { rows } = await db.query<{ refusal: string | null }>(
    'select refusal from call_desk.call_requests order by created_at desc, (refusal is null) limit 1',
  )
  return rows[0]?.refusal
}

/** What browser calls have cost, and what is set aside for them. */
export async function webMoney(db: Db): Promise<{ reserved: number; spent: number | null }[]> {
  const { rows } = await db.query<{ reserved: string; spent: string | null }>(
    "select reserved, spent from call_desk.ledger where kind = 'web' order by at",
  )
  return rows.map(({ reserved, spent }) => ({
    reserved: Number(reserved),
    spent: spent === null ? null : Number(spent),
  }))
}

/** A desk whose gate for browser calls is open but for these changes, as that for phone calls is. */
export const webDeskOf = (
  db: Db,
  changes: Partial<WebGateSettings> = {},
  options: Partial<CallDeskOptions> = {},
): CallDesk =>
  deskOf(db, 'http://127.0.0.1:1', {
    gate: openGate,
    webGate: { ...openWebGate, ...changes },
    addressOf,
    findVisitor: async (slug) => ({ slug }),
    ...options,
  })

/** The gate answers with a refusal, and has stored why. */
export async function expectRefusedWeb(
  db: Db,
  answer: Promise<unknown>,
  refusal: string,
  status = 429,
): Promise<void> {
  expect(await answer).toMatchObject({ result: 'refused', code: 'call_refused', status })
  expect(await lastRefusal(db)).toBe(refusal)
}
