import type { Db } from '@heyline/database'
import type { Page } from '@heyline/platform-client'
import { CALL_COLUMNS, type CallRow } from '../calls/call-row.js'
import { ApiError } from '../resources/api-error.js'
import { type PageWindow, readPage } from '../resources/list-page.js'
import { type Equal, whereSql } from '../resources/list-window.js'
import { LOG_COLUMNS, type LogRow } from './log-entry.js'

const TABLE = 'voice_platform.logs'
/** Most messages to servers that a call's log tells of: the newest. */
const MOST_MESSAGES = 1_000

export interface LogFilter {
  type?: string | undefined
  webhookType?: string | undefined
  assistantId?: string | undefined
  phoneNumberId?: string | undefined
  /** No customers are stored here, so none has entries. */
  customerId?: string | undefined
  squadId?: string | undefined
  callId?: string | undefined
}

/** A call and what its server was told. */
export interface LoggedCall {
  row: CallRow
  messages: LogRow[]
  /** What came before is no longer told. */
  since: Date | undefined
}

/** Reads and deletes the log. */
export class LogStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  page(window: PageWindow, filter: LogFilter): Promise<Page<LogRow>> {
    return readPage<LogRow>(this.#db, { table: TABLE, columns: LOG_COLUMNS, window, equal: equal(filter) })
  }

  async delete(filter: LogFilter): Promise<void> {
    const { sql, parameters } = whereSql({}, equal(filter))
    await this.#db.query(`delete from ${TABLE} ${sql}`, parameters)
  }

  /** Rejects with an `ApiError` 404. */
  async ofCall(id: string): Promise<LoggedCall> {
    const { rows } = await this.#db.query<CallRow & { log_removed_at: Date | null }>(
      `select ${CALL_COLUMNS}, log_removed_at from voice_platform.calls where id = $1`,
      [id],
    )
    const [row] = rows
    if (!row) throw new ApiError(404, `Call ${id} does not exist.`)
    const messages = await this.#db.query<LogRow>(
      `select ${LOG_COLUMNS} from ${TABLE} where call_id = $1 and type = 'Webhook' order by created_at desc, id desc limit ${MOST_MESSAGES}`,
      [id],
    )
    return { row, messages: messages.rows, since: row.log_removed_at ?? undefined }
  }

  /**
   * Nobody reads any more how this call went on until now. Its record stays, and so do its entries, which `delete` removes. Rejects with an
   * `ApiError` 404.
   */
  async forgetCall(id: string): Promise<void> {
    const { rowCount } = await this.#db.query(
      `update voice_platform.calls set log_removed_at = now() where id = $1`,
      [id],
    )
    if (rowCount === 0) throw new ApiError(404, `Call ${id} does not exist.`)
  }
}

const equal = (filter: LogFilter): Equal => ({
  type: filter.type,
  webhook_type: filter.webhookType,
  assistant_id: filter.assistantId,
  phone_number_id: filter.phoneNumberId,
  'null::text': filter.customerId,
  squad_id: filter.squadId,
  call_id: filter.callId,
})
