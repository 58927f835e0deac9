import type { Page, Pages } from '../api/page.js'
import type { CreateSession, ListSessions, Session, UpdateSession } from '../api/session.js'
import type { RequestOptions } from '../request/request-input.js'

/** Conversations that several chats belong to. */
export interface Sessions {
  /** One page of the sessions: `GET /session`. */
  list(query?: ListSessions, options?: RequestOptions): Promise<Page<Session>>

  /** All sessions, page after page: `GET /session`. */
  pages(query?: ListSessions, options?: RequestOptions): Pages<Session>

  /** Opens a session: `POST /session`. */
  create(body: CreateSession, options?: RequestOptions): Promise<Session>

  /** One session: `GET /session/{id}`. */
  get(id: string, options?: RequestOptions): Promise<Session>

  /** Changes the fields that are given; `status: 'completed'` closes it: `PATCH /session/{id}`. */
  update(id: string, body: UpdateSession, options?: RequestOptions): Promise<Session>

  /** `DELETE /session/{id}`. */
  delete(id: string, options?: RequestOptions): Promise<Session | undefined>
}
