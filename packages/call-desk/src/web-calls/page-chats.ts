import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { PAGE_CHAT_ENDED, PAGE_CHAT_TAKEN_BACK } from '../news/page-chat.js'

/**
 * How long a chat may be gone on with after what was last asked, without a new admission. The ledger settles what nobody tells more of five
 * minutes after that (`settleUnreported`), so that nothing goes on whose money went back.
 */
const WAITED_FOR = "interval '4 minutes'"

/** Chats of pages, which the platform answers for strangers. Each is a browser call to the gate, and known by the session as its platform's id. */
export interface PageChats {
  /** The first answer is over: the chat has ended, and cost the share of one of so many `answers`. What else is reserved waits for more. */
  answered(sessionId: string, answers: number): Promise<void>
  /** Another answer is asked for, of so many `answers` that are left: it costs its share, too. False: the rest of the money went back. */
  goesOn(sessionId: string, answers: number): Promise<boolean>
  /** No model has worked: all money goes back. The chat still counts for its address and network. */
  takenBack(sessionId: string): Promise<void>
}

/** What the chat costs with one more of $2 answers; nothing is known where calls have no price. */
const WITH_ONE_MORE = `(select coalesce(r.cost_microusd, 0) + ceil((l.reserved - coalesce(r.cost_microusd, 0)) / greatest(1, $2::int)::numeric)::bigint
  from call_desk.ledger l where l.request_id = r.id)`

export function createPageChats({ db, logger }: { db: Db; logger: Logger }): PageChats {
  return {
    async answered(sessionId, answers) {
      const { rows } = await db.query<{ id: string }>(
        // Where the answer took long, the reconciler has found that the platform knows no such call.
        `update call_desk.call_requests r
         set state = 'ended', ended_at = coalesce(r.ended_at, now()), ended_reason = '${PAGE_CHAT_ENDED}', outcome = 'completed',
           cost_microusd = ${WITH_ONE_MORE}, recorded_at = now(), check_at = null, updated_at = now()
         where r.platform_call_id = $1 and r.kind = 'web'
           and (r.state in ('dialling', 'unknown') or r.state = 'ended' and r.ended_reason = 'not-found')
         returning r.id`,
        [sessionId, answers],
        { prepared: true },
      )
      for (const { id } of rows) logger.info({ requestId: id, state: 'ended' }, 'chat of a page')
    },
    async goesOn(sessionId, answers) {
      const { rowCount } = await db.query(
        `update call_desk.call_requests r
         set cost_microusd = ${WITH_ONE_MORE}, recorded_at = now(), updated_at = now()
         where r.platform_call_id = $1 and r.kind = 'web' and r.ended_reason = '${PAGE_CHAT_ENDED}'
           and r.recorded_at > now() - ${WAITED_FOR}
           and not exists (select from call_desk.ledger l where l.request_id = r.id and l.spent is not null)`,
        [sessionId, answers],
        { prepared: true },
      )
      return rowCount === 1
    },
    async takenBack(sessionId) {
      const { rows } = await db.query<{ id: string }>(
        `with back as (
           update call_desk.call_requests
           set state = 'failed', failed_at = now(), ended_at = null, ended_reason = '${PAGE_CHAT_TAKEN_BACK}', outcome = null,
             last_error = 'not_answered: the model failed before it wrote anything', recorded_at = now(), check_at = null, updated_at = now()
           where platform_call_id = $1 and kind = 'web'
             and (state in ('dialling', 'unknown') or state = 'ended' and ended_reason = 'not-found')
           returning id)
         select id, call_desk.settle_spend(id, 0)::text from back`,
        [sessionId],
        { prepared: true },
      )
      for (const { id } of rows) logger.warn({ requestId: id, state: 'failed' }, 'chat of a page')
    },
  }
}
