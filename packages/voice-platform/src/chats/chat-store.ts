import type { Queryable } from '@heyline/database'
import type { Page } from '@heyline/platform-client'
import { type PageWindow, readPage } from '../resources/list-page.js'
import type { Equal } from '../resources/list-window.js'
import { CHAT_COLUMNS, type ChatRow } from './chat-row.js'

const TABLE = 'voice_platform.chats'

export type NewChat = Omit<ChatRow, 'org_id' | 'created_at' | 'updated_at'>

/** The stored chats, one row for each turn. */
export class ChatStore {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  /** The installation's own. */
  async orgId(): Promise<string> {
    const { rows } = await this.#db.query<{ org_id: string }>(
      'select org_id from voice_platform.settings',
      [],
    )
    return rows[0]?.org_id ?? ''
  }

  /** Undefined where what it goes on from was removed meanwhile: the page's conversation, the session or the chat before. Its words would come back. */
  add(chat: NewChat): Promise<ChatRow | undefined> {
    return this.#one(
      `with page as materialized (select from voice_platform.web_chats where session_id = $6::uuid for key share),
         session as materialized (
           select customer_number
           from voice_platform.resources where id = $6::uuid and family = 'session' for key share),
         before as materialized (select from ${TABLE} where id = $7::uuid for key share)
       insert into ${TABLE} (id, name, assistant_id, assistant_given, overrides, session_id, previous_chat_id, is_streamed, input, messages, output, costs, customer_number, is_public)
       select $1::uuid, $2::text, $3::uuid, $4::jsonb, $5::jsonb, $6::uuid, $7::uuid, $8::boolean, $9::jsonb, $10::jsonb, $11::jsonb, $12::jsonb,
         (select customer_number from session), coalesce($13::boolean, false)
       where ($6::uuid is null or exists (select from page) or exists (select from session))
         and ($7::uuid is null or exists (select from before)) returning ${CHAT_COLUMNS}`,
      [
        ...[chat.id, chat.name, chat.assistant_id, chat.assistant_given, chat.overrides, chat.session_id],
        ...[chat.previous_chat_id, chat.is_streamed, JSON.stringify(chat.input), chat.messages, chat.output],
        ...[chat.costs, chat.is_public],
      ],
    )
  }

  get(id: string): Promise<ChatRow | undefined> {
    return this.#one(`select ${CHAT_COLUMNS} from ${TABLE} where id = $1`, [id])
  }

  /** The last turn of a session. */
  lastOf(sessionId: string): Promise<ChatRow | undefined> {
    return this.#one(
      `select ${CHAT_COLUMNS} from ${TABLE} where session_id = $1 order by created_at desc, id desc limit 1`,
      [sessionId],
    )
  }

  pageOfKeys(window: PageWindow, equal: Equal): Promise<Page<Pick<ChatRow, 'id'>>> {
    return readPage<Pick<ChatRow, 'id'>>(this.#db, { table: TABLE, columns: 'id', window, equal })
  }

  /** Those of these that are there, in any order. */
  async listed(ids: readonly string[]): Promise<ChatRow[]> {
    if (ids.length === 0) return []
    const { rows } = await this.#db.query<ChatRow>(
      `select ${CHAT_COLUMNS} from ${TABLE} where id = any (array(select jsonb_array_elements_text($1::jsonb)::uuid))`,
      [ids],
    )
    return rows
  }

  delete(id: string): Promise<ChatRow | undefined> {
    return this.#one(`delete from ${TABLE} where id = $1 returning ${CHAT_COLUMNS}`, [id])
  }

  async #one(sql: string, parameters: unknown[]): Promise<ChatRow | undefined> {
    const { rows } = await this.#db.query<ChatRow>(sql, parameters)
    return rows[0]
  }
}
