import type { Call, CallBatch, UpdateCall } from '../api/call.js'
import type { CreateCall, CreateCallBatch, CreateWebCall } from '../api/create-call.js'
import type { ExportCalls, ListCalls, ListCallsPage } from '../api/list-calls.js'
import type { Page, Pages } from '../api/page.js'
import type { RequestOptions } from '../request/request-input.js'

/** Calls, by phone and in the browser. */
export interface Calls {
  /** The newest calls first, 100 unless `limit` says otherwise: `GET /call`. */
  list(query?: ListCalls, options?: RequestOptions): Promise<Call[]>

  /** One page of the calls that the query describes: `GET /v2/call`. */
  listPage(query?: ListCallsPage, options?: RequestOptions): Promise<Page<Call>>

  /** All calls that the query describes, page after page: `GET /v2/call`. */
  pages(query?: ListCallsPage, options?: RequestOptions): Pages<Call>

  /** Places a phone call to each of several customers: `POST /call`. Sent once, never repeated. */
  create(body: CreateCallBatch, options?: RequestOptions): Promise<CallBatch>
  /** Places a phone call, at once or as `schedulePlan` says: `POST /call`. Sent once, never repeated. */
  create(body: CreateCall, options?: RequestOptions): Promise<Call>

  /** One call, as far as it has come: `GET /call/{id}`. */
  get(id: string, options?: RequestOptions): Promise<Call>

  /** Renames a call: `PATCH /call/{id}`. */
  update(id: string, body: UpdateCall, options?: RequestOptions): Promise<Call>

  /** Deletes what is stored of a call; one that is scheduled is not placed: `DELETE /call/{id}`. */
  delete(id: string, options?: RequestOptions): Promise<Call | undefined>

  /**
   * The same as `create` with several customers: `POST /call/phone`.
   * @deprecated `create`
   */
  createPhone(body: CreateCallBatch, options?: RequestOptions): Promise<CallBatch>
  /**
   * The same as `create`: `POST /call/phone`.
   * @deprecated `create`
   */
  createPhone(body: CreateCall, options?: RequestOptions): Promise<Call>

  /** Creates a call in the browser; join it at `webCallUrl`: `POST /call/web`. The one operation that a public token may use. */
  createWeb(body: CreateWebCall, options?: RequestOptions): Promise<Call>

  /**
   * The calls that the query describes, as CSV text: `GET /v2/call/export`. Only with `async: false`: otherwise the platform
   * exports in the background and answers at once with the text that names the job.
   */
  export(query?: ExportCalls, options?: RequestOptions): Promise<string>

  /** As `listPage`, without what is large in a call: `GET /v2/call/metadata`. */
  listMetadata(query?: ListCallsPage, options?: RequestOptions): Promise<Page<Call>>

  /** As `pages`, without what is large in a call: `GET /v2/call/metadata`. */
  metadataPages(query?: ListCallsPage, options?: RequestOptions): Pages<Call>
}
