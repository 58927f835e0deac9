import { randomUUID } from 'node:crypto'
import type { Db, Queryable } from '@heyline/database'
import { CAMPAIGN_SLUG } from '../call/campaign-slug.js'
import { parsePhoneNumber } from '../call/phone-number.js'
import { CAMPAIGN_SHARE, partOfBudget } from './campaign-share.js'
import { countListed } from './do-not-call.js'
import type { GateSettings } from './gate-settings.js'
import { countAsIncoming, isBeyondIncomingShare } from './incoming-share.js'
import { longestCost } from './longest-cost.js'
import { refuseNumber } from './number-rules.js'
import type { Refusal } from './refusal.js'
import { GATE_LOCK, readSwitches } from './switches.js'

export interface TransferGateOptions {
  db: Db
  settings: GateSettings
  /** E.164, never called: our own caller ids. */
  ownNumbers?(): Promise<readonly string[]>
}

/** A running call, the number to which it is to be transferred (E.164), and the most seconds that this may last. */
export interface AskedTransfer {
  number: string
  seconds: number
  /** The platform's id of the call. */
  callId: string
  /** The call came in: the transfer costs money of such calls. */
  inbound: boolean
}

/** Gives back what a transfer was to cost. Rejects where the database is away. */
type GiveBack = () => Promise<void>

/**
 * Asks the rules for numbers, the switches, the do-not-call list and the budgets of phone calls before a call is transferred. Resolves with
 * a refusal, or with what gives the money back: then the most that the transfer can cost is spent; undefined where it costs nothing. Calls of
 * campaigns have their share of the budgets here, too. The
 * limits of addresses, numbers and hours are for calls that visitors ask for, so they do not apply.
 */
export function createTransferGate({ db, settings, ownNumbers }: TransferGateOptions) {
  return async ({
    number: text,
    seconds,
    callId,
    inbound,
  }: AskedTransfer): Promise<Refusal | GiveBack | undefined> => {
    const number = parsePhoneNumber(text)
    if (!number) return 'type_not_allowed'
    const isFull = settings.mode === 'full'
    const refusal = isFull && refuseNumber(number, settings, (await ownNumbers?.()) ?? [])
    if (refusal) return refusal
    const price = isFull ? settings.countries.get(number.country) : settings.simulatedPrice
    const id = randomUUID()
    const refused = await db.transaction(async (tx): Promise<Refusal | undefined> => {
      await tx.query(`select ${GATE_LOCK}`)
      const { pausedAt, breakerAt } = await readSwitches(tx)
      if (pausedAt) return 'paused'
      if (isFull && breakerAt) return 'breaker_open'
      if ((await countListed(tx, [number.e164])) > 0) return 'dnc'
      return price === undefined
        ? undefined
        : await spend(tx, { id, amount: longestCost(seconds, price), callId, inbound }, settings)
    })
    if (refused !== undefined || price === undefined) return refused
    return async () => {
      await db.query('select call_desk.settle_spend($1::uuid, 0)', [id])
    }
  }
}

/** Spends the money at once: nobody tells us later what an answered transfer has cost. */
async function spend(
  tx: Queryable,
  { id, amount, callId, inbound }: { id: string; amount: number; callId: string; inbound: boolean },
  { dayBudget, monthBudget }: GateSettings,
): Promise<Refusal | undefined> {
  const call = await findCall(tx, callId)
  const caller = call && { phone: call.phone, proven: !call.unproven }
  const cost = { caller, transferOf: call?.id, amount, dayBudget, monthBudget }
  if (inbound && (await isBeyondIncomingShare(tx, cost))) return 'budget_exhausted'
  const share = call?.slug === CAMPAIGN_SLUG ? CAMPAIGN_SHARE : 1
  const { rows } = await tx.query<{ refused: string | null }>(
    'select call_desk.reserve_spend($1::uuid, $2::bigint, $3::bigint, $4::bigint, now()) as refused',
    [id, amount, partOfBudget(dayBudget, share), partOfBudget(monthBudget, share)],
  )
  if (rows[0]?.refused !== null) return 'budget_exhausted'
  if (inbound) await countAsIncoming(tx, id)
  if (call)
    await tx.query('update call_desk.ledger set transfer_of = $2 where request_id = $1', [id, call.id])
  await tx.query('select call_desk.settle_spend($1::uuid, $2::bigint)', [id, amount])
  return undefined
}

interface DeskCall {
  id: string
  phone: string
  slug: string
  unproven: boolean
}

/** Undefined where the platform's call is none of the desk's. */
async function findCall(tx: Queryable, callId: string): Promise<DeskCall | undefined> {
  const { rows } = await tx.query<DeskCall>(
    'select id, phone, slug, unproven from call_desk.call_requests where platform_call_id = $1',
    [callId],
  )
  return rows[0]
}
