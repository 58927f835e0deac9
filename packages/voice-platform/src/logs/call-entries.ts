import type { CallRow } from '../calls/call-row.js'
import type { CallWatch, LoggedCall, PostedMessage } from '../calls/server-messages.js'
import type { LogEntry } from './log-entry.js'
import type { PlatformLog } from './platform-log.js'

const ofCall = (row: LoggedCall): Pick<LogEntry, 'callId' | 'assistantId' | 'phoneNumberId' | 'squadId'> => ({
  callId: row.id,
  assistantId: row.assistant_id,
  phoneNumberId: row.phone_number_id,
  squadId: row.squad_id,
})

/** Writes down which messages were sent for calls, and how calls ended. */
export class CallEntries implements CallWatch {
  readonly #log: PlatformLog

  constructor(log: PlatformLog) {
    this.#log = log
  }

  posted(row: LoggedCall, { type, server, at, seconds, status, failure }: PostedMessage): void {
    this.#log.add({
      ...{ ...ofCall(row), at, seconds, status, type: 'Webhook', webhookType: type, method: 'POST' },
      path: URL.canParse(server) ? new URL(server).origin : undefined,
      ...(failure !== undefined && { error: failure instanceof Error ? failure.message : String(failure) }),
    })
  }

  ended(row: CallRow): void {
    const { started_at, ended_at, created_at, ended_reason } = row
    const began = started_at ?? created_at
    this.#log.add({
      ...{ ...ofCall(row), at: began.getTime(), type: 'Call', resource: 'call' },
      seconds: Math.max(0, ((ended_at ?? began).getTime() - began.getTime()) / 1000),
      ...(ended_reason !== null && /error|fail|fault/.test(ended_reason) && { error: ended_reason }),
    })
  }
}
