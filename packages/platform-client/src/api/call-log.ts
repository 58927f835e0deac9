import type { OpenString } from './open-string.js'
import type { PageQuery } from './page.js'

/** One line of a call's log. */
export interface CallLog {
  callId: string
  orgId: string
  log: string
  level: OpenString<'INFO' | 'LOG' | 'WARN' | 'ERROR' | 'CHECKPOINT'>
  /** ISO 8601. */
  time: string
}

/** Query of `callLogs.list` and `callLogs.pages`. */
export interface ListCallLogs extends PageQuery {
  callId: string
}

/** Query of `callLogs.delete`. */
export interface DeleteCallLogs {
  callId: string
}
