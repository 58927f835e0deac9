import type { CallLog, DeleteCallLogs, DeleteLogs, ListCallLogs, ListLogs, Log } from '../api/log.js'
import type { Page, Pages } from '../api/page.js'
import type { RequestOptions } from '../request/request-input.js'

/** The organisation's log of requests. The platform gives it up in favour of the log of each call. */
export interface Logs {
  /**
   * One page of entries, the newest first; 100 a page unless `limit` says otherwise (at most 1000). `GET /logs`
   * @deprecated Use `callLogs.list`.
   */
  list(query?: ListLogs, options?: RequestOptions): Promise<Page<Log>>
  /**
   * All entries, page after page. `GET /logs` for each page.
   * @deprecated Use `callLogs.pages`.
   */
  pages(query?: ListLogs, options?: RequestOptions): Pages<Log>
  /**
   * Deletes the entries that the query chooses; without one, nothing narrows the deletion. `DELETE /logs` answers nothing.
   * @deprecated Use `callLogs.delete`.
   */
  delete(query?: DeleteLogs, options?: RequestOptions): Promise<void>
}

/** What the platform wrote down while a call ran. */
export interface CallLogs {
  /** One page of a call's log, the newest first; 100 lines a page unless `limit` says otherwise (at most 1000). `callId` is required. `GET /log` */
  list(query: ListCallLogs, options?: RequestOptions): Promise<Page<CallLog>>
  /** A call's whole log, page after page. `callId` is required. `GET /log` for each page. */
  pages(query: ListCallLogs, options?: RequestOptions): Pages<CallLog>
  /** Deletes a call's log. `callId` is required. `DELETE /log` answers nothing. */
  delete(query: DeleteCallLogs, options?: RequestOptions): Promise<void>
}
