import type { DeleteLogs, ListLogs, Log } from '../api/log.js'
import type { Page, Pages } from '../api/page.js'
import type { RequestOptions } from '../request/request-options.js'

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
