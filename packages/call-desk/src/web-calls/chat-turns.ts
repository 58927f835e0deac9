import { randomUUID } from 'node:crypto'
import type { Db, Queryable } from '@heyline/database'
import { isBeyondShare, type NetworkSpend, NO_SPEND, networkSpend } from '../gate/network-share.js'
import { LOCK_STATEMENT } from '../queue/reserve.js'
import type { WebGateSettings } from './web-gate-settings.js'

/** What so many seconds may cost, in millionths of a US dollar; undefined where they cost nothing. */
export const secondsCost = (
  seconds: number,
  { minutePrice }: Pick<WebGateSettings, 'minutePrice'>,
): number | undefined => (minutePrice > 0 ? Math.ceil((seconds * minutePrice) / 60) : undefined)

/**
 * The first turn of a chat: it costs so many seconds, and what was reserved beyond that is free for others. Who writes one word, and comes no
 * more, keeps nobody else from the budget.
 */
export async function payFirstTurn(
  db: Queryable,
  id: string,
  seconds: number,
  settings: WebGateSettings,
): Promise<void> {
  const cost = secondsCost(seconds, settings)
  if (cost !== undefined) await db.query('select call_desk.settle_spend($1::uuid, $2::bigint)', [id, cost])
}

/**
 * A further turn of a chat that was admitted: its money is spent at once, as money of the chat's network. False where the budgets, or the
 * share of the network, do not hold it.
 */
export async function payTurn(
  db: Db,
  chatId: string,
  seconds: number,
  settings: WebGateSettings,
): Promise<boolean> {
  const amount = secondsCost(seconds, settings)
  if (amount === undefined) return true
  const spend = settings.mode === 'full' ? networkSpend('web', amount, settings) : NO_SPEND
  return await db.transaction(async (tx) => {
    await tx.query(LOCK_STATEMENT)
    const { rows } = await tx.query<{ id: string; spend: NetworkSpend | null }>(
      `with asked as (
         select r.id, r.network from call_desk.call_requests r where r.platform_call_id = $1 and r.kind = 'web')
       select id, ${spend} as spend from asked`,
      [chatId],
    )
    const [chat] = rows
    if (chat?.spend && isBeyondShare(chat.spend, amount, settings)) return false
    const { dayBudget, monthBudget } = settings
    const turn = randomUUID()
    const { rows: reserved } = await tx.query<{ refused: string | null }>(
      `select call_desk.reserve_spend($1::uuid, 'web', $2::bigint, $3::bigint, $4::bigint, now()) as refused`,
      [turn, amount, dayBudget, monthBudget],
    )
    if (reserved[0]?.refused !== null) return false
    await tx.query('update call_desk.ledger set spent = reserved, transfer_of = $2 where request_id = $1', [
      turn,
      chat?.id,
    ])
    return true
  })
}
