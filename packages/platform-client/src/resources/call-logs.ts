import type { CallLog, DeleteCallLogs, ListCallLogs } from '../api/call-log.js'
import type { Page, Pages } from '../api/page.js'
import type { RequestOptions } from '../request/request-options.js'

/** What the platform wrote down while a call ran. */
export interface CallLogs {
  /** One page of a call's log, the newest first; 100 lines a page unless `limit` says otherwise (at most 1000). `callId` is required. `GET /log` */
  list(query: ListCallLogs, options?: RequestOptions): Promise<Page<CallLog>>
  /** A call's whole log, page after page. `callId` is required. `GET /log` for each page. */
  pages(query: ListCallLogs, options?: RequestOptions): Pages<CallLog>
  /** Deletes a call's log. `callId` is required. `DELETE /log` answers nothing. */
  delete(query: DeleteCallLogs, options?: RequestOptions): Promise<void>
}
