import type { Db } from '@heyline/database'
import { WaitingLine } from '@heyline/kit/waiting-line'
import type { Logger } from 'pino'
import { PAGE_CHAT_ENDED, PAGE_CHAT_TAKEN_BACK } from '../news/page-chat.js'
import { payTurn } from './chat-turns.js'
import type { WebGateSettings } from './web-gate-settings.js'
import { RESERVATIONS } from './web-reservations.js'

/** Chats of pages, which the platform answers for strangers. Each is a browser call to the gate, and known by the session as its platform's id. */
export interface PageChats {
  /** The first answer is over: the chat has ended. */
  answered(sessionId: string): Promise<void>
  /** Pays for a further turn, as for so many seconds of a call. False where there is no money for it. Rejects where nobody can say. */
  payTurn(sessionId: string, seconds: number): Promise<boolean>
  /** No model has worked: all money goes back. The chat still counts for its address and network. */
  takenBack(sessionId: string): Promise<void>
}

interface PageChatsOptions {
  db: Db
  settings: WebGateSettings
  logger: Logger
}

export function createPageChats({ db, settings, logger }: PageChatsOptions): PageChats {
  /** Turns wait for the gate's lock one by one, as reservations do. */
  const turns = new WaitingLine(RESERVATIONS)
  return {
    async answered(sessionId) {
      const { rows } = await db.query<{ id: string }>(
        // Where the answer took long, the reconciler has found that the platform knows no such call.
        `update call_desk.call_requests r
         set state = 'ended', ended_at = coalesce(r.ended_at, now()), ended_reason = '${PAGE_CHAT_ENDED}', outcome = 'completed',
           recorded_at = now(), check_at = null, updated_at = now()
         where r.platform_call_id = $1 and r.kind = 'web'
           and (r.state in ('dialling', 'unknown') or r.state = 'ended' and r.ended_reason = 'not-found')
         returning r.id`,
        [sessionId],
        { prepared: true },
      )
      for (const { id } of rows) logger.info({ requestId: id, state: 'ended' }, 'chat of a page')
    },
    payTurn: (sessionId, seconds) => turns.run(() => payTurn(db, sessionId, seconds, settings)),
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
